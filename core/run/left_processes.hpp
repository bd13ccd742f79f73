// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/async/asio.hpp"
#include "core/process/reaper.hpp"

namespace launch {

/// Ends what ranks left behind, whose subreaper this process is: whatever is below it in the tree
/// of processes. After SIGTERM it gets `grace` until SIGKILL. No other child may be left.
awaitable<void> end_left_processes(any_io_executor executor, Reaper& reaper,
                                   std::chrono::milliseconds grace);

/// Ends the processes of one job among others: those with the job's id in their environment
/// (LAUNCH_JOB_ID). A process that has removed the variable ends with the tree.
awaitable<void> end_left_processes_of(any_io_executor executor, Reaper& reaper, std::string job_id,
                                      std::chrono::milliseconds grace);

}  // namespace launch
