// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>

#include "core/base/clock.hpp"

namespace launch {

/// Microseconds of the Unix epoch by this machine's calendar, which others may set at any time. In
/// a simulation: by its time.
inline uint64_t unix_us_now() {
    using std::chrono::system_clock;
    const auto now = Clock::simulated == nullptr
                         ? system_clock::now().time_since_epoch()
                         : system_clock::duration(Clock::simulated->time_since_epoch());
    return static_cast<uint64_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

inline uint64_t unix_seconds_now() {
    return unix_us_now() / 1'000'000;
}

}  // namespace launch
