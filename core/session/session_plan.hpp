// SPDX-License-Identifier: MIT
#pragma once

#include "core/factories.hpp"
#include "core/session/session_nodes.hpp"

namespace launch {

/// A job on hosts of a session.
struct SessionPlan {
    Plan plan;
    SessionNodes nodes;
    JobNumber number{};  ///< when slots are reserved
};

/// Plans a job on the slots that are free, or on all if it shares them. The session decides about
/// the tree, whatever the spec says. An Error: there is no room (no_room()), or no such host.
Result<SessionPlan> plan_in_session(JobSpec spec, SessionChoice choice, const SessionState& session,
                                    const Factories& factories);

/// The nodes of the session that the job may use, for its position in the session's queue.
std::vector<NodeIndex> wished_in_session(const JobSpec& spec, const SessionChoice& choice,
                                         const SessionState& session);

/// Gives the hosts that are this machine the name that it has among those of the session, where it
/// may be called localhost or by its full name; where it is none of them, a name by which other
/// hosts know it.
void name_own_machine(std::vector<Host>& hosts, const std::vector<SessionHost>& session);

}  // namespace launch
