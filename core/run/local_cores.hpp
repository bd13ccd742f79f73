// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>
#include <vector>

#include "core/async/event.hpp"
#include "core/process/core_record.hpp"
#include "core/run/local_stacks.hpp"

namespace launch {

/// The core files of a job's ranks on this host: takes them to the job's folder, and keeps the
/// stacks in them until the head asks. Ranks that die while others' files are read come together in
/// the next child process.
class LocalCores {
  public:
    explicit LocalCores(any_io_executor executor) : executor_(executor), changed_(executor) {}

    /// Waits until the core file of the process, which has just died, has been taken, or cannot be:
    /// for patience::cores at most.
    awaitable<void> take(const CoreKeeping& keeping, DeadProcess dead);
    /// Core files that have not been taken are left where they are.
    void stop() { stop_.request_stop(); }
    const StackGroups& stacks() const { return stacks_; }

  private:
    any_io_executor executor_;
    std::vector<DeadProcess> waiting_;
    Clock::time_point deadline_;  ///< of the first that waits
    std::stop_source stop_;
    uint64_t batches_begun_ = 0;
    uint64_t batches_done_ = 0;
    StackGroups stacks_;
    Event changed_;
};

}  // namespace launch
