// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/factories.hpp"
#include "core/head/head_watch.hpp"
#include "core/head/outcome.hpp"
#include "core/job/fetch_spec.hpp"
#include "core/process/guard.hpp"

namespace launch {

/// Settings of the head that hosts do not get.
struct HeadOptions {
    bool quiet = false;
    bool progress = false;  ///< standard error is a terminal: show what is waited for
    std::string log;        ///< LAUNCH_LOG
    /// Receives failures and notices instead of the user, who then sees only the progress. It must
    /// outlive the job. Null: messages go to the user.
    HeadWatch* watch = nullptr;
    std::vector<FetchSpec> fetches;  ///< when the ranks have ended
    /// The process that the user started: other launch processes find the job by it (JobDoor). 0:
    /// they find it by its session.
    pid_t process = 0;
};

/// Runs the planned job to its end and leaves nothing behind.
JobOutcome run_job(Plan plan, const Factories& factories, const HeadOptions& options,
                   const Guard& guard);

}  // namespace launch
