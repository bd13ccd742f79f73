// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

#include "core/async/run.hpp"
#include "core/async/timer.hpp"
#include "core/base/random.hpp"
#include "tests/unit/core/harness/run_until.hpp"

namespace launch {

/// "1500 ms": how long after the beginning of simulated time.
inline std::string ms_text(Clock::time_point at) {
    const auto ms = std::chrono::floor<std::chrono::milliseconds>(at - SimulatedTime::beginning);
    return std::to_string(ms.count()) + " ms";
}

/// An io_context in simulated time, with random numbers from a seed: all that happens in it is a
/// function of the seed. It must outlive all that uses it.
class SimulatedRun {
  public:
    enum class Time : uint8_t {
        simulated,
        real,  ///< for what only the machine can do, such as to run a process
    };
    explicit SimulatedRun(uint64_t seed = 1, Time time = Time::simulated) : random_(seed) {
        if (time == Time::simulated) time_.emplace();
    }

    template <class Done>
    bool until(const Done& done) {
        return run_until(io, done);
    }
    /// Waits no longer than that.
    template <class Done>
    bool until(const Done& done, Clock::duration limit) {
        return run_simulated(io, done, Clock::now() + limit);
    }
    /// Runs the task to its end. False: it has none within that time.
    bool run(awaitable<void> task, Clock::duration limit = far_too_long) {
        bool over = false;
        const auto end = Clock::now() + limit;
        asio::co_spawn(io, std::move(task), [&over](std::exception_ptr failure) {
            if (failure) std::rethrow_exception(failure);
            over = true;
        });
        return run_simulated(
            io, [&over] { return over; }, end);
    }
    /// As run(), for a task that must end.
    template <class Value>
    Value get(awaitable<Value> task) {
        std::optional<Value> result;
        if (!run(keep(std::move(task), result))) std::abort();
        return *std::move(result);
    }
    /// So much of its time passes.
    void run_for(Clock::duration time) {
        const auto end = Clock::now() + time;
        bool over = false;
        Timer timer(io.get_executor(), end);
        timer.async_wait([&over](std::error_code) { over = true; });
        run_simulated(
            io, [&over] { return over; }, end);
    }
    /// See SimulatedTime.
    uint64_t fingerprint() const { return time_->fingerprint(); }

  private:
    std::optional<SimulatedTime> time_;
    SeededRandom random_;

  public:
    asio::io_context io;
};

}  // namespace launch
