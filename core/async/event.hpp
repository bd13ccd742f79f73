// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>
#include <vector>

#include "core/async/timer.hpp"

namespace launch {

/// A condition variable for coroutines of one thread. A notification wakes who waits now and is
/// not remembered: test the condition, then wait, in a loop. Wake-ups may be spurious.
class Event {
  public:
    explicit Event(any_io_executor executor) : executor_(std::move(executor)) {}
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    awaitable<void> wait();
    /// Also returns when `deadline` has passed; the caller looks at its clock or condition.
    awaitable<void> wait_until(Clock::time_point deadline);
    void notify();

  private:
    any_io_executor executor_;
    std::vector<Timer*> waiters_;
};

/// Suspends for a time.
awaitable<void> sleep_for(any_io_executor executor, Clock::duration duration);
/// Sleeps, but not longer than until `stop` is requested, which may be before the call. The request
/// comes on the executor's thread.
awaitable<void> sleep_for(any_io_executor executor, Clock::duration duration, std::stop_token stop);

}  // namespace launch
