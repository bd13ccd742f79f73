#pragma once

#include <string>

#include "core/job/outcome.hpp"
#include "core/job/plan.hpp"
#include "core/modex_server.hpp"
#include "core/process/guard.hpp"
#include "core/transport_factory.hpp"

namespace launch {

/// What the head tells the user besides the program's own output.
struct HeadOptions {
    bool quiet = false;
    bool progress = false;  ///< standard error is a terminal: show what is waited for
    std::string log;        ///< LAUNCH_LOG
};

/// Runs the planned job to its end and leaves nothing behind.
JobOutcome run_job(const Plan& plan, const TransportFactory& make_transport,
                   const ModexFactory& make_modex, const HeadOptions& options, const Guard& guard);

}  // namespace launch
