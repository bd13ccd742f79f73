// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "cmd/command.hpp"
#include "core/session/session_client.hpp"

namespace launch {

/// A job that runs, and a connection to the process that answers for it: its session, or the job
/// itself if it is in none.
struct RunningJob {
    SessionClient client;
    JobNumber number{};
};

/// The job that the command's first word names: a job outside of sessions by the process that the
/// user started, a job of the session by its number. Without that word: the only job that runs.
Result<RunningJob> find_job(const Asked& asked);

/// Connections to the sessions that answer. Sessions that do not, such as one of another build, are
/// reported.
std::vector<SessionClient> answering_sessions();
/// Connections to the jobs outside of sessions, as answering_sessions().
std::vector<SessionClient> answering_jobs();

/// Asks about a job that has been found. An Error also if it has ended meanwhile, or has not all of
/// the ranks.
Result<SessionAnswer> ask(const Asked& asked, RunningJob& job, const SessionRequest& request);

}  // namespace launch
