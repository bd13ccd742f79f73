// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>
#include <vector>

#include "core/async/asio.hpp"
#include "core/process/core_record.hpp"
#include "core/process/stack_record.hpp"

namespace launch {

/// Where these processes of ranks are, read by a child process (core/process/stack_record.hpp). A
/// process that was not looked at within `limit`, or until `stop` is requested, is in a group that
/// says so.
awaitable<StackGroups> local_stacks(any_io_executor executor, std::vector<RankProcessId> processes,
                                    std::chrono::milliseconds limit, std::stop_token stop);

/// Takes the core files of processes of ranks that have died, and reads their stacks, by such a
/// child process (core/process/core_record.hpp), until `deadline` at most, or until `stop` is
/// requested.
awaitable<StackGroups> local_cores(any_io_executor executor, CoreKeeping keeping,
                                   std::vector<DeadProcess> dead, Clock::time_point deadline,
                                   std::stop_token stop);

}  // namespace launch
