// SPDX-License-Identifier: MIT
#pragma once

#include "core/async/asio.hpp"

namespace launch {

/// Nothing takes so long, however slow the machine is, but for what never comes.
inline constexpr std::chrono::seconds far_too_long{120};

/// Runs what there is to do until `done`. False: it never was.
template <class Done>
bool run_until(asio::io_context& io, const Done& done) {
    const auto deadline = Clock::now() + far_too_long;
    io.restart();
    while (!done()) {
        const auto left = deadline - Clock::now();
        if (left <= Clock::duration::zero()) return false;
        if (io.run_one_for(left) == 0) return done();
    }
    return true;
}

/// Runs until nothing is left to do now: timers are not waited for.
inline void settle(asio::io_context& io) {
    io.restart();
    while (io.poll() > 0) {
    }
}

/// Runs all to the end. False: something is left that does not end.
inline bool run_out(asio::io_context& io) {
    io.restart();
    io.run_for(far_too_long);
    return io.stopped();
}

}  // namespace launch
