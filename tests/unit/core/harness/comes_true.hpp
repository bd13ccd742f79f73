// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <sched.h>

namespace launch {

/// Waits until the condition is true, which it asks for again and again. This is for what the
/// kernel shows and gives no event for. False: the condition was not true for a minute.
template <class Condition>
bool comes_true(const Condition& condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes{1};
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        sched_yield();
    }
    return true;
}

}  // namespace launch
