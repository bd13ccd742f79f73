// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "core/async/asio.hpp"

namespace launch {

class Timer;

/// The time of a simulation: it stands still while there is anything to do, and jumps to the next
/// timer when there is not. It costs no system call. From its constructor to its destructor it is
/// the time of its thread; timers of it must not outlive it.
class SimulatedTime {
  public:
    /// A point of time that does not depend on the machine.
    static constexpr Clock::time_point beginning{std::chrono::hours{1000}};

    SimulatedTime();
    SimulatedTime(const SimulatedTime&) = delete;
    SimulatedTime& operator=(const SimulatedTime&) = delete;
    ~SimulatedTime();

    /// The simulated time of this thread; null: the thread uses the machine's clock.
    static SimulatedTime* current();

    /// The time of the next timer; max: no timer waits for a point of time.
    Clock::time_point next() const;
    /// Jumps there and lets one timer go off, the first that was set among the timers of that time.
    /// False: no timer waits, or the next one is later than `latest`.
    bool advance(Clock::time_point latest = Clock::time_point::max());

    /// A simulation has no threads: work that blocks is done by the thread that wants it, in its
    /// turn.
    static awaitable<void> run_inline(any_io_executor executor, std::function<void()> work);

    /// Two runs with the same fingerprint went the same way until now: it is made of the numbers
    /// and times of all waits that have ended by the time, and of the number of all waits.
    uint64_t fingerprint() const { return fingerprint_ ^ last_; }

  private:
    friend class Timer;
    /// The place of a timer in the queue.
    using Key = std::pair<Clock::time_point, uint64_t>;

    Key add(Clock::time_point deadline, Timer& timer);
    void remove(const Key& key) { waiting_.erase(key); }

    Clock::time_point now_ = beginning;
    uint64_t last_ = 0;
    uint64_t fingerprint_ = 0xcbf29ce484222325;
    std::map<Key, Timer*> waiting_;
};

}  // namespace launch
