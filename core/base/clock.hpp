// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

namespace launch {

/// The clock by which launch waits: the machine's or, in a thread that simulates, that of the
/// simulation (core/async/simulated_time.hpp). Both have points of time of one type, since a thread
/// looks at one of them only.
struct Clock {
    using duration = std::chrono::steady_clock::duration;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::steady_clock::time_point;
    static constexpr bool is_steady = true;

    static time_point now() noexcept {
        return simulated == nullptr ? std::chrono::steady_clock::now() : *simulated;
    }

    /// For threads that may block, and processes: nothing else of them is done meanwhile. In a
    /// simulation that time passes for all. Safe in a child between fork() and exec().
    static void pause(duration limit);

    /// The time of this thread's simulation; null: it has none.
    static inline constinit thread_local time_point* simulated = nullptr;
};

}  // namespace launch
