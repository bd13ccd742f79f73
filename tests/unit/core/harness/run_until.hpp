// SPDX-License-Identifier: MIT
#pragma once

#include "core/async/simulated_time.hpp"

namespace launch {

/// Nothing takes so long, however slow the machine is, but for what never comes.
inline constexpr std::chrono::seconds far_too_long{120};

/// Runs what there is to do in a simulation until `done`, or until `deadline` of its time.
template <class Done>
bool run_simulated(asio::io_context& io, const Done& done, Clock::time_point deadline) {
    io.restart();
    while (!done()) {
        if (io.poll_one() > 0) continue;
        if (!SimulatedTime::current()->advance(deadline)) return done();
        io.restart();
    }
    return true;
}

/// Runs what there is to do until `done`. False: it never was.
template <class Done>
bool run_until(asio::io_context& io, const Done& done) {
    if (SimulatedTime::current() != nullptr)
        return run_simulated(io, done, Clock::now() + far_too_long);
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
    if (SimulatedTime::current() != nullptr) {
        run_simulated(
            io, [] { return false; }, Clock::now() + far_too_long);
        return SimulatedTime::current()->next() == Clock::time_point::max();
    }
    io.restart();
    io.run_for(far_too_long);
    return io.stopped();
}

}  // namespace launch
