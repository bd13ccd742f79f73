#pragma once

#include "core/async/asio.hpp"
#include "core/process/reaper.hpp"

namespace launch {

/// Ends what ranks left behind, whose subreaper this process is: whatever is below it in the tree
/// of processes. After SIGTERM it gets `grace` until SIGKILL. No other child may be left.
awaitable<void> end_left_processes(any_io_executor executor, Reaper& reaper,
                                   std::chrono::milliseconds grace);

}  // namespace launch
