// SPDX-License-Identifier: MIT
#pragma once

#include "core/factories.hpp"

namespace launch {

/// The rooms transports/ and topologies/, as core/ wants them: chosen by name.

TransportFactory transport_factory();
TopologyFactory topology_factory();
/// All of them, and the modex and direct links.
Factories factories();

}  // namespace launch
