// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "core/async/task_group.hpp"

namespace launch {

/// Many jobs at once need several times the memory that a node has otherwise, and what they have
/// freed the C library keeps for the next ones. Here it is given back to the system when no job has
/// run for a while, so that none waits for it. One job after another gives nothing back, which
/// would be taken again at once.
class SpareMemory {
  public:
    /// So many jobs at once are many.
    static constexpr size_t many = 8;

    struct Settings {
        Clock::duration rest = std::chrono::seconds{2};  ///< without a job
        /// Of all that this process has.
        std::function<void()> give_back;
    };
    /// As the C library does.
    explicit SpareMemory(any_io_executor executor);
    SpareMemory(any_io_executor executor, Settings settings);

    /// So many run now.
    void has_jobs(size_t count);
    /// Nothing is waited for any more.
    awaitable<void> close();

  private:
    bool is_idle() const { return jobs_ == 0 && !closed_; }
    awaitable<void> wait_for_rest();

    Settings settings_;
    size_t jobs_ = 0;
    size_t most_ = 0;  ///< at once, since memory was given back
    Clock::time_point idle_since_;
    bool closed_ = false;
    Event changed_;
    TaskGroup tasks_;
};

}  // namespace launch
