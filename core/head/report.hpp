#pragma once

#include <string>
#include <vector>

#include "core/head/job_record.hpp"

namespace launch {

/// The lines (without "launch: ") that tell a user why hosts failed: one a cause, hosts folded.
std::vector<std::string> host_failure_lines(const std::vector<FailureMessage>& failures);

/// The lines that tell which ranks failed: the first one, which others failed before they could be
/// ended, and how many were ended; or with `keep_going` all of them, folded by how they ended.
std::vector<std::string> rank_failure_lines(const JobRecord& record, const JobSpec& spec);

/// What a rank did, as an error of the job.
Error fault_error(const FaultMessage& fault, const std::string& host);

/// The lines that tell of ranks whose processes cannot be ended, folded by what they wait for.
std::vector<std::string> stuck_rank_lines(const JobRecord& record);

/// "rank 7", "ranks 0-3,9".
std::string fold_ranks(std::vector<uint32_t> ranks);

}  // namespace launch
