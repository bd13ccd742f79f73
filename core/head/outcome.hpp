// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/head/output_gather.hpp"
#include "core/head/timeline.hpp"
#include "core/job/exit_status.hpp"
#include "core/wire/stats.hpp"

namespace launch {

/// The cost of a job, node by node (--stats). Node 0 is the head.
struct JobStats {
    std::vector<NodeStats> nodes;
    std::vector<std::string> hosts;  ///< of the nodes 1, 2, ...
    uint64_t start_us = 0;           ///< until ranks could run
    uint64_t run_us = 0;             ///< from there until the last rank ended
    uint64_t end_us = 0;             ///< from there until nothing was left
};

/// How a job ended, as far as the exit code depends on it. Everything else has been reported to the
/// user before. All empty: every rank succeeded.
struct JobOutcome {
    std::optional<Error> error;        ///< the job itself failed: hosts, time, output
    std::optional<ExitStatus> failed;  ///< of the rank that failed first
    int signal = 0;                    ///< the user's signal that ended the job (^C)
    std::optional<JobStats> stats;
    std::optional<GatheredOutput> gathered;  ///< what is still to be shown
    std::optional<JobTimeline> timeline;     ///< where it was asked for (--report)
};

}  // namespace launch
