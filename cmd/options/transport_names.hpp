#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace launch {

struct TransportName {
    std::string_view name;
    std::string_view help;  ///< one line
};

/// Those that transport_factory() knows, in the order to show them.
std::span<const TransportName> known_transports();

/// Their names alone.
std::vector<std::string_view> transport_names();

/// Lists those that are known.
Error unknown_transport(const std::string& name);

}  // namespace launch
