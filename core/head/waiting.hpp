// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/head/hang_watch.hpp"
#include "core/head/host_record.hpp"
#include "core/head/host_starts.hpp"
#include "core/head/job_record.hpp"
#include "core/head/start_progress.hpp"

namespace launch {

/// Texts about hosts and ranks that the head waits for.

/// The line that says what the job waits for, before its ranks run or when they are to end; empty:
/// nothing to say. `start`: the time that the start of hosts has taken; without it the line has no
/// time.
std::string progress_line(const JobRecord& record, const HostStarts& starts, bool ending,
                          std::optional<TimeTaken> start = {});
/// While they run: "running: 3 of 4 ranks, 12 s of 60 s"; empty: none does.
std::string running_line(const JobRecord& record, TimeTaken time);

/// For a user who asks how far the job is: one of those two, and which ranks run, and where.
std::string status_line(const JobRecord& record, const std::string& progress, TimeTaken time);

/// For a user whose first ^C has not ended all ranks; empty: it has.
std::string interrupted_line(const JobRecord& record);

/// The job was not done in time, which the user set by `name`.
Error timeout_error(const JobRecord& record, const HostStarts& starts, const std::string& name,
                    milliseconds limit);

/// The job hangs, for which the user set that limit with --hang.
Error hang_error(const HangWatch::Verdict& verdict, milliseconds limit);

/// A host that is not up, as having failed: a start has an end, however many hosts hang, and
/// wherever in the tree.
FailureMessage late_host(const HostRecord& hosts, NodeIndex node, milliseconds limit);

}  // namespace launch
