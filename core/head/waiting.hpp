#pragma once

#include <string>
#include <vector>

#include "core/head/host_record.hpp"
#include "core/head/host_starts.hpp"
#include "core/head/job_record.hpp"

namespace launch {

/// What is said of hosts and ranks that are waited for.

/// How long a job runs, and how long it may.
struct JobTime {
    milliseconds passed{};
    milliseconds limit{};  ///< 0: none
};

/// What is waited for before ranks run, or once they are to end; empty: nothing that would tell
/// why.
std::string progress_line(const JobRecord& record, const HostStarts& starts, bool ending);
/// While they run: "running: 3 of 4 ranks, 12 s of 60 s"; empty: none does.
std::string running_line(const JobRecord& record, JobTime time);

/// For a user whose first ^C has not ended all ranks; empty: it has.
std::string interrupted_line(const JobRecord& record);

/// The job was not done in time, which the user set by `name`.
Error timeout_error(const JobRecord& record, const HostStarts& starts, const std::string& name,
                    milliseconds limit);

/// The hosts that are not up, as having failed: a start has an end, however many of them hang,
/// and wherever in the tree.
std::vector<FailureMessage> late_hosts(const HostRecord& hosts, milliseconds limit);

}  // namespace launch
