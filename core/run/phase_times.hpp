// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/async/asio.hpp"

namespace launch {

/// When what began at a node; a time that is not set is that of nothing.
struct PhaseTimes {
    Clock::time_point began = Clock::now();
    Clock::time_point told;    ///< it knows what to do
    Clock::time_point up;      ///< all below it are up, or have failed
    Clock::time_point placed;  ///< of the head: it let ranks start that had waited for its word
    Clock::time_point ending;  ///< it leaves

    /// From when ranks could run: the job took as long as that to start.
    Clock::time_point run_began() const {
        if (placed != Clock::time_point()) return placed;
        return up != Clock::time_point() ? up : ending;
    }

    /// In microseconds; 0 where one of them is not set.
    static uint64_t between(Clock::time_point from, Clock::time_point to) {
        if (from == Clock::time_point() || to < from) return 0;
        const auto time = std::chrono::duration_cast<std::chrono::microseconds>(to - from);
        return static_cast<uint64_t>(time.count());
    }
};

}  // namespace launch
