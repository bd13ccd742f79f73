// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>

namespace launch {

/// Calls that hang until they are let go. Their threads share it: it outlives the test's frame.
class Hang {
  public:
    /// `told` is called when the call hangs, and has returned before hanging() counts the call.
    void hang(const std::function<void()>& told = [] {}) {
        std::unique_lock lock(mutex_);
        ++hanging_;
        told();
        changed_.wait(lock, [this] { return let_go_; });
        --hanging_;
        changed_.notify_all();
    }
    size_t hanging() {
        const std::lock_guard lock(mutex_);
        return hanging_;
    }
    /// How many hung.
    size_t let_go() {
        std::unique_lock lock(mutex_);
        let_go_ = true;
        const size_t hung = hanging_;
        changed_.notify_all();
        changed_.wait(lock, [this] { return hanging_ == 0; });
        return hung;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    size_t hanging_ = 0;
    bool let_go_ = false;
};

}  // namespace launch
