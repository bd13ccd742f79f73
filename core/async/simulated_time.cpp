// SPDX-License-Identifier: MIT
#include "core/async/simulated_time.hpp"

#include <algorithm>

#include "core/async/timer.hpp"

namespace launch {

namespace {

constinit thread_local SimulatedTime* time_of_this_thread = nullptr;

}  // namespace

SimulatedTime* SimulatedTime::current() {
    return time_of_this_thread;
}

SimulatedTime::SimulatedTime() {
    time_of_this_thread = this;
    Clock::simulated = &now_;
}

SimulatedTime::~SimulatedTime() {
    time_of_this_thread = nullptr;
    Clock::simulated = nullptr;
}

awaitable<void> SimulatedTime::run_inline(any_io_executor executor, std::function<void()> work) {
    co_await asio::post(executor, asio::use_awaitable);
    work();
}

SimulatedTime::Key SimulatedTime::add(Clock::time_point deadline, Timer& timer) {
    const Key key{deadline, ++last_};
    waiting_.emplace(key, &timer);
    return key;
}

Clock::time_point SimulatedTime::next() const {
    return waiting_.empty() ? Clock::time_point::max() : waiting_.begin()->first.first;
}

bool SimulatedTime::advance(Clock::time_point latest) {
    const auto time = next();
    if (time == Clock::time_point::max() || time > latest) return false;
    now_ = std::max(now_, time);
    const auto& [key, timer] = *waiting_.begin();
    // FNV-1a, of numbers instead of bytes.
    for (const uint64_t part : {static_cast<uint64_t>(time.time_since_epoch().count()), key.second})
        fingerprint_ = (fingerprint_ ^ part) * 0x100000001b3;
    timer->complete({});
    return true;
}

}  // namespace launch
