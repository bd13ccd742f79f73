// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>

namespace launch {

/// Microseconds of the Unix epoch by this machine's calendar, which others may set at any time.
inline uint64_t unix_us_now() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<uint64_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

inline uint64_t unix_seconds_now() {
    return unix_us_now() / 1'000'000;
}

}  // namespace launch
