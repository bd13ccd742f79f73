// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>

#include "core/factories.hpp"
#include "core/session/session_plan.hpp"
#include "core/session/session_talk.hpp"

namespace launch {

/// A wish of a user: slots of a session for a job.
struct SlotWish {
    JobSpec spec;
    SessionChoice choice;
    bool waits = true;  ///< in the session's queue, as long as a host that the job may use is up
    /// Called once, when the job has its position in the queue: why it waits.
    std::function<void(const Error& full)> waiting;
};

/// Reserves the slots of a job that has been planned. Nothing: slots that were free have been
/// taken, or are kept for jobs that wait.
awaitable<Result<std::optional<JobNumber>>> reserve_slots_of(SessionTalk& talk,
                                                             const SessionPlan& made, bool shares);

/// Plans the job and reserves its slots in the session, which has greeted with `state`, and which
/// leaves its latest state there. An Error: as plan_in_session(), or of the talk.
awaitable<Result<SessionPlan>> reserve_slots(SessionTalk& talk, SessionState& state, SlotWish wish,
                                             const Factories& factories);

}  // namespace launch
