#pragma once

#include <string>
#include <vector>

#include "core/head/host_record.hpp"
#include "core/head/job_record.hpp"

namespace launch {

/// What is said of hosts and ranks that are waited for.

/// The line for a user who waits; empty: nothing that would tell why.
std::string progress_line(const JobRecord& record, bool ending);

/// For a user whose first ^C has not ended all ranks; empty: it has.
std::string interrupted_line(const JobRecord& record);

/// The job was not done in time, which the user set by `name`.
Error timeout_error(const JobRecord& record, const std::string& name, milliseconds limit);

/// The hosts that are not up, as having failed: a start has an end, however many of them hang,
/// and wherever in the tree.
std::vector<FailureMessage> late_hosts(const HostRecord& hosts, milliseconds limit);

}  // namespace launch
