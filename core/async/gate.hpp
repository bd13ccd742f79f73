// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <optional>
#include <stop_token>
#include <utility>

#include "core/async/event.hpp"

namespace launch {

/// Lets a bounded number of coroutines of one thread through at a time, in the order they came.
class Gate {
  public:
    Gate(any_io_executor executor, size_t limit) : executor_(std::move(executor)), free_(limit) {}
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;

    /// Being inside; ends with its life.
    class Pass {
      public:
        explicit Pass(Gate& gate) : gate_(&gate) {}
        Pass(Pass&& other) noexcept : gate_(std::exchange(other.gate_, nullptr)) {}
        Pass& operator=(Pass&&) = delete;
        ~Pass() {
            if (gate_ != nullptr) gate_->leave();
        }

      private:
        Gate* gate_;
    };

    /// Nothing when `stop` said so, on the executor's thread, before there was room.
    awaitable<std::optional<Pass>> enter(std::stop_token stop) {
        if (stop.stop_requested()) co_return std::nullopt;
        if (free_ > 0) {
            --free_;
            co_return Pass(*this);
        }
        Waiter waiter{Event(executor_)};
        waiting_.push_back(&waiter);
        const std::stop_callback wake(stop, [&waiter] { waiter.changed.notify(); });
        while (!waiter.admitted && !stop.stop_requested())
            co_await waiter.changed.wait();
        if (waiter.admitted) co_return Pass(*this);
        std::erase(waiting_, &waiter);
        co_return std::nullopt;
    }

  private:
    struct Waiter {
        Event changed;
        bool admitted = false;
    };

    /// The place goes to who waits longest, and stays taken.
    void leave() {
        if (waiting_.empty()) {
            ++free_;
            return;
        }
        Waiter* next = waiting_.front();
        waiting_.pop_front();
        next->admitted = true;
        next->changed.notify();
    }

    any_io_executor executor_;
    size_t free_;
    std::deque<Waiter*> waiting_;
};

}  // namespace launch
