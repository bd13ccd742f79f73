// SPDX-License-Identifier: MIT
#include "core/async/simulated_time.hpp"

#include <algorithm>

#include "core/async/timer.hpp"

namespace launch {

namespace {

constinit thread_local SimulatedTime* of_this_thread = nullptr;

}  // namespace

SimulatedTime* SimulatedTime::current() {
    return of_this_thread;
}

SimulatedTime::SimulatedTime() {
    of_this_thread = this;
    Clock::simulated = &now_;
}

SimulatedTime::~SimulatedTime() {
    of_this_thread = nullptr;
    Clock::simulated = nullptr;
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
    Timer* const timer = waiting_.begin()->second;
    timer->complete({});
    return true;
}

}  // namespace launch
