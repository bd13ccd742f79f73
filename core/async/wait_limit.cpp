// SPDX-License-Identifier: MIT
#include "core/async/wait_limit.hpp"

#include <algorithm>

namespace launch {
namespace {

constexpr std::chrono::milliseconds longest_step{200};

}  // namespace

awaitable<void> WaitLimit::wait(Event& event) {
    const Clock::duration step = std::min<Clock::duration>(left_, longest_step);
    const auto begin = Clock::now();
    co_await event.wait_until(begin + step);
    left_ -= std::min(Clock::now() - begin, 2 * step);
}

}  // namespace launch
