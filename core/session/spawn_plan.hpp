// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "core/factories.hpp"
#include "core/head/spawn_spec.hpp"
#include "core/session/session_plan.hpp"
#include "core/wire/session_messages.hpp"

namespace launch {

/// Plans processes that a rank of a session's job asks for on the slots that are free: on all hosts
/// that it wants, and where a program may run anywhere on those with room that the job has not left
/// out. The job's limit of hosts does not count: there may be no room for more on those. An Error:
/// as plan_in_session().
Result<SessionPlan> plan_spawn(SpawnSpec wanted, SessionChoice choice, const SessionState& session,
                               const Factories& factories);

/// Whether there will be enough slots when the hosts are added that the session has not: they stay
/// with it, so this is asked before they join.
Status will_have_slots(const SpawnSpec& wanted, const SessionChoice& choice,
                       const SessionState& session);

/// Returns the hosts among these that do not run in the session, or are to leave it.
std::vector<Host> hosts_to_add(std::vector<Host> hosts, const SessionState& session);

/// The error that slots are not free, as a rank hears it, not a user.
Error no_room_for_spawned(const SessionState& session);

}  // namespace launch
