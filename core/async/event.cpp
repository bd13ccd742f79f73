// SPDX-License-Identifier: MIT
#include "core/async/event.hpp"

#include <algorithm>

namespace launch {

awaitable<void> Event::wait() {
    return wait_until(Clock::time_point::max());
}

awaitable<void> Event::wait_until(Clock::time_point deadline) {
    Timer timer(executor_, deadline);
    waiters_.push_back(&timer);
    std::error_code ec;
    auto token = asio::redirect_error(asio::use_awaitable, ec);
    co_await timer.async_wait(token);
    waiters_.erase(std::remove(waiters_.begin(), waiters_.end(), &timer), waiters_.end());
}

void Event::notify() {
    for (auto* timer : waiters_)
        timer->cancel();
    waiters_.clear();
}

awaitable<void> sleep_for(any_io_executor executor, Clock::duration duration) {
    Timer timer(executor, duration);
    std::error_code ec;
    auto token = asio::redirect_error(asio::use_awaitable, ec);
    co_await timer.async_wait(token);
}

awaitable<void> sleep_for(any_io_executor executor, Clock::duration duration,
                          std::stop_token stop) {
    const auto deadline = Clock::now() + duration;
    Event stopped(executor);
    const std::stop_callback wake(stop, [&stopped] { stopped.notify(); });
    while (!stop.stop_requested() && Clock::now() < deadline)
        co_await stopped.wait_until(deadline);
}

}  // namespace launch
