// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "core/bind/machine.hpp"
#include "core/job/plan.hpp"
#include "core/link/bounds.hpp"
#include "core/link/direct_links.hpp"
#include "core/modex_server.hpp"
#include "core/run/rank.hpp"
#include "core/transport_factory.hpp"

namespace launch {

/// The implementations of what core/ knows as interfaces, which cmd/ passes in; and how much may be
/// on the way between them.
struct Factories {
    TransportFactory transport;
    TopologyFactory topology;
    ModexFactory modex;
    RankFactory rank;
    DirectLinksFactory links;
    /// PMI_process_mapping of a placement.
    std::function<std::string(const Placement&)> process_mapping;
    MachineReader machine;
    Bounds bounds{};
};

}  // namespace launch
