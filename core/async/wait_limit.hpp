// SPDX-License-Identifier: MIT
#pragma once

#include "core/async/event.hpp"

namespace launch {

/// A limit on waiting for others. Time in which this process was stopped is not its waiting: what
/// came in the meantime is still to be looked at.
class WaitLimit {
  public:
    explicit WaitLimit(Clock::duration limit) : limit_(limit), left_(limit) {}

    bool over() const { return left_ <= Clock::duration::zero(); }
    Clock::duration left() const { return left_; }
    void restart() { left_ = limit_; }
    /// Until the event, or a part of what is left has passed.
    awaitable<void> wait(Event& event);

  private:
    Clock::duration limit_;
    Clock::duration left_;
};

}  // namespace launch
