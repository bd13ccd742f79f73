#pragma once

#include "core/job/plan.hpp"
#include "core/link/direct_links.hpp"
#include "core/modex_server.hpp"
#include "core/transport_factory.hpp"

namespace launch {

/// What the other rooms bring: cmd/ injects them.
struct Factories {
    TransportFactory transport;
    TopologyFactory topology;
    ModexFactory modex;
    DirectLinksFactory links;
};

}  // namespace launch
