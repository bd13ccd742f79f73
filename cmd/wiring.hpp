#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/factories.hpp"

namespace launch {

/// The rooms transports/ and topologies/, as core/ wants them: chosen by name.

/// The names that transport_factory() knows, in the order to show them.
std::span<const std::string_view> known_transports();

/// Ok for a known name; else a usage error that lists them. Nothing is opened.
Status check_transport(const std::string& name);

TransportFactory transport_factory();
TopologyFactory topology_factory();
/// All of them, and the modex and direct links.
Factories factories();

}  // namespace launch
