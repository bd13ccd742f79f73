#pragma once

#include "core/base/build_id.hpp"
#include "core/job/plan.hpp"
#include "core/modex_server.hpp"
#include "core/process/guard.hpp"
#include "core/transport_factory.hpp"

namespace launch {

/// `launch --relay`: speaks frames on standard input and output with the node that started it,
/// runs its part of a job and leaves when told to or when that link ends. Returns the exit code.
int run_relay(const TransportFactory& make_transport, const TopologyFactory& make_topology,
              const ModexFactory& make_modex, const Guard& guard);

}  // namespace launch
