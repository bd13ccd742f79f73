// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/factories.hpp"
#include "core/head/head.hpp"
#include "core/process/guard.hpp"
#include "core/session/session_client.hpp"
#include "core/session/session_head.hpp"
#include "core/session/session_name.hpp"
#include "core/session/session_nodes.hpp"

namespace launch {

/// The settings of a session, besides those of its tree.
struct SessionSettings {
    const SessionName& name;  ///< outlives it
    milliseconds idle{0};     ///< it ends when no job has run for so long; 0: never
};

/// Events of a session, in the process that holds it.
struct SessionEvents {
    /// It runs and takes jobs. Its standard streams may be let go of from now on. False: nobody
    /// wants it any more.
    std::function<bool(size_t hosts_up)> ready;
};

/// How a session failed before it was ready; all empty: it was ready, and ended well.
struct SessionOutcome {
    std::optional<Error> error;            ///< why it could not begin
    std::vector<FailureMessage> failures;  ///< hosts that it cannot do without
    int signal = 0;                        ///< that ended it

    bool is_good() const { return !error && failures.empty() && signal == 0; }
};

/// Starts the planned tree and holds it for jobs until it is ordered to stop (SIGTERM, SIGINT or
/// SIGHUP) or has been idle for long enough. Hosts that do not come up end it, unless the plan
/// allows that.
SessionOutcome hold_session(const Plan& plan, const Factories& factories,
                            const HeadOptions& options, const SessionSettings& settings,
                            const Guard& guard, const SessionEvents& events);

/// Runs the planned job, whose hosts are `nodes`, on the session whose client has reserved slots.
/// `place`: where the session is found, for processes that ranks ask for.
JobOutcome run_in_session(Plan plan, const Factories& factories, const HeadOptions& options,
                          const SessionPlace& place, SessionClient client, SessionNodes nodes,
                          const Guard& guard);

}  // namespace launch
