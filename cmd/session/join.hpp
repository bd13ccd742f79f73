// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cmd/options/settings.hpp"
#include "cmd/request/job_request.hpp"
#include "core/head/head.hpp"
#include "core/session/session_client.hpp"
#include "core/session/session_plan.hpp"

namespace launch {

/// The name that stands for the only session there is.
inline constexpr const char* any_session = "any";

/// The session that a job is to run in, by the option or LAUNCH_SESSION; empty: in none.
std::string wanted_session(const Settings& settings, const std::vector<std::string>& env);

/// Where sessions of this user are, by LAUNCH_SESSION_DIR.
SessionPlace session_place(const std::vector<std::string>& env);

/// The names of sessions that may run: not of those whose process has died.
std::vector<std::string> sessions_in_use(const SessionPlace& place);

/// The error of connect_session(), with how to run a program whose name was taken for the session's
/// because none was given.
Error with_program_meant(Error error, const Settings& settings,
                         const std::vector<std::string>& env);

/// A connection to the session; any_session: to the only one.
Result<SessionClient> connect_session(const SessionPlace& place, const std::string& name);

/// To the one that is named or, if none is, that of LAUNCH_SESSION, or the only one.
Result<SessionClient> connect_one(const std::string& name);

/// Fails if the settings of this job have options that only a session can have; names all of them.
Status check_session_settings(const Settings& settings);

/// Returns a note for hosts of --exclude that the session lacks, if the job names no hosts.
std::vector<std::string> notes_of_excluded(const JobSpec& spec, const Settings& settings,
                                           const SessionState& session);

/// The job as it would run in the session now.
Result<SessionPlan> plan_in_session(JobSpec spec, const Settings& settings,
                                    const SessionState& session);

/// Plans the job and reserves its slots. A job that does not fit waits for slots, unless the user
/// said --no-wait, and tells the user once which jobs have them.
Result<SessionPlan> reserve_in_session(const JobSpec& spec, const Settings& settings,
                                       SessionClient& session);

}  // namespace launch
