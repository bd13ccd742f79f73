// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <ctime>

#include "core/base/clock.hpp"

namespace launch {

/// Goes on while the machine sleeps, which Clock does not. In a simulation the two are one.
struct BootClock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<BootClock>;
    static constexpr bool is_steady = true;

    static time_point now() noexcept {
        if (Clock::simulated != nullptr) return time_point(Clock::simulated->time_since_epoch());
        timespec since_boot{};
        clock_gettime(CLOCK_BOOTTIME, &since_boot);
        return time_point(std::chrono::seconds(since_boot.tv_sec) + duration(since_boot.tv_nsec));
    }
};

}  // namespace launch
