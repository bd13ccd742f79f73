#pragma once

#include <functional>

#include "core/factories.hpp"
#include "core/head/head.hpp"
#include "core/process/guard.hpp"
#include "core/session/session_client.hpp"
#include "core/session/session_head.hpp"
#include "core/session/session_nodes.hpp"

namespace launch {

/// What becomes of a session, in the process that holds it.
struct SessionEvents {
    /// It runs and takes jobs. Its standard streams may be let go of from now on.
    std::function<void(size_t hosts_up)> ready;
};

/// Brings the planned tree up and holds it for jobs until it is told to stop (SIGTERM, SIGINT or
/// SIGHUP) or is idle. Hosts that do not come up end it, unless the plan allows that. Nothing:
/// it ended well; an Error: it could not begin, and what else there is to say has been said.
Status hold_session(const Plan& plan, const Factories& factories, const HeadOptions& options,
                    SessionSettings settings, const Guard& guard, const SessionEvents& events);

/// Runs the planned job, whose hosts are `nodes`, on the session whose client has reserved slots.
JobOutcome run_in_session(Plan plan, const Factories& factories, const HeadOptions& options,
                          SessionClient client, SessionNodes nodes);

}  // namespace launch
