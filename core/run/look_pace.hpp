// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>

namespace launch {

/// How often to look whether a rank reads its standard input, which the kernel tells nobody by
/// itself. Most programs that read do so soon or after they have written a question; a rank that
/// has been silent for a while is looked at rarely, so that a job that never reads costs nothing.
class LookPace {
  public:
    using milliseconds = std::chrono::milliseconds;

    /// How long to wait before the next look.
    milliseconds next() {
        const milliseconds now = pause_;
        const bool eager = waited_ < eager_time;
        waited_ += now;
        pause_ = std::min(pause_ * 2, eager ? slow : slowest);
        return now;
    }
    /// The rank wrote something. True: the look that is waited for is to come sooner.
    bool wrote() {
        if (pause_ <= slow) return false;
        *this = LookPace();
        return true;
    }

  private:
    static constexpr milliseconds slow{50};
    static constexpr milliseconds slowest{1000};
    static constexpr milliseconds eager_time{5000};

    milliseconds pause_{1};
    milliseconds waited_{0};
};

}  // namespace launch
