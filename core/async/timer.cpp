// SPDX-License-Identifier: MIT
#include "core/async/timer.hpp"

namespace launch {

Timer::Timer(any_io_executor executor, Clock::time_point deadline) : deadline_(deadline) {
    if (SimulatedTime::current() != nullptr)
        executor_ = std::move(executor);
    else
        real_.emplace(std::move(executor), deadline);
}

size_t Timer::expires_at(Clock::time_point deadline) {
    if (real_) return real_->expires_at(deadline);
    deadline_ = deadline;
    return cancel();
}

size_t Timer::cancel() {
    return real_ ? real_->cancel() : complete(asio::error::operation_aborted);
}

void Timer::wait_simulated(Waiter waiter) {
    waiters_.push_back(std::move(waiter));
    if (deadline_ <= Clock::now())
        complete({});
    else if (!key_)
        key_ = SimulatedTime::current()->add(deadline_, *this);
}

size_t Timer::complete(std::error_code ec) {
    if (key_) SimulatedTime::current()->remove(*std::exchange(key_, std::nullopt));
    auto waiters = std::exchange(waiters_, {});
    for (Waiter& each : waiters)
        asio::post(executor_, [waiter = std::move(each), ec] { waiter(ec); });
    return waiters.size();
}

}  // namespace launch
