// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/async/asio.hpp"
#include "core/async/simulated_time.hpp"

namespace launch {

/// A timer by Clock: Asio's steady_timer or, in a simulation, one of SimulatedTime. One thread.
class Timer {
  public:
    explicit Timer(any_io_executor executor) : Timer(std::move(executor), Clock::time_point{}) {}
    Timer(any_io_executor executor, Clock::time_point deadline);
    Timer(any_io_executor executor, Clock::duration limit)
        : Timer(std::move(executor), Clock::now() + limit) {}
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;
    ~Timer() { cancel(); }

    /// These cancel all waits, and return how many.
    size_t expires_at(Clock::time_point deadline);
    size_t expires_after(Clock::duration limit) { return expires_at(Clock::now() + limit); }
    size_t cancel();

    /// Completes with an error_code: none, or operation_aborted when it has been cancelled. Never
    /// before this returns.
    template <class Token>
    auto async_wait(Token&& token) {
        return asio::async_initiate<Token, void(std::error_code)>(
            [this](auto handler) { this->wait(std::move(handler)); }, token);
    }

  private:
    friend class SimulatedTime;
    using Waiter = std::function<void(std::error_code)>;

    template <class Handler>
    void wait(Handler handler) {
        if (real_) return real_->async_wait(std::move(handler));
        const auto kept = std::make_shared<Handler>(std::move(handler));
        wait_simulated([kept](std::error_code ec) { std::move (*kept)(ec); });
    }
    void wait_simulated(Waiter waiter);
    size_t complete(std::error_code ec);

    std::optional<asio::steady_timer> real_;
    /// Else:
    any_io_executor executor_;
    Clock::time_point deadline_;
    std::optional<SimulatedTime::Key> key_;  ///< while somebody waits
    std::vector<Waiter> waiters_;
};

}  // namespace launch
