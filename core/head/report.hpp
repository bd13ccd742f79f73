// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/head/job_record.hpp"
#include "core/job/fold_ranks.hpp"

namespace launch {

/// The lines (without "launch: ") that tell a user why hosts failed: one a cause, hosts folded.
std::vector<std::string> host_failure_lines(const std::vector<FailureMessage>& failures);

/// The lines that tell which ranks failed: the first one, which others failed before they could be
/// ended, and how many were ended; or with `keep_going` all of them, folded by how they ended.
std::vector<std::string> rank_failure_lines(const JobRecord& record, const JobSpec& spec);

/// The host that says it: as the tree names it, else the plan; empty: none.
std::string host_of(const NoticeMessage& notice, const Plan& plan);

/// A fault of a rank, as an error of the job.
Error fault_error(const FaultMessage& fault, const JobRecord& record);

/// The lines that tell of ranks whose processes cannot be ended, folded by what they wait for.
std::vector<std::string> stuck_rank_lines(const JobRecord& record);

/// The line that tells which ranks SIGTERM, or the user's signal, did not end in time; empty: none.
std::string killed_ranks_line(const JobRecord& record);

}  // namespace launch
