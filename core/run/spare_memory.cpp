// SPDX-License-Identifier: MIT
#include "core/run/spare_memory.hpp"

#include <algorithm>
#include <malloc.h>
#include <utility>

namespace launch {

SpareMemory::SpareMemory(any_io_executor executor)
    : SpareMemory(std::move(executor), Settings{.give_back = [] { ::malloc_trim(0); }}) {}

SpareMemory::SpareMemory(any_io_executor executor, Settings settings)
    : settings_(std::move(settings)), changed_(executor), tasks_(executor) {}

void SpareMemory::has_jobs(size_t count) {
    jobs_ = count;
    most_ = std::max(most_, count);
    changed_.notify();
    if (!is_idle() || most_ < many) return;
    idle_since_ = Clock::now();
    if (tasks_.size() == 0) tasks_.spawn(wait_for_rest());
}

/// Ends when a job begins: the end of that one begins it anew.
awaitable<void> SpareMemory::wait_for_rest() {
    while (is_idle() && Clock::now() < idle_since_ + settings_.rest)
        co_await changed_.wait_until(idle_since_ + settings_.rest);
    if (!is_idle()) co_return;
    most_ = 0;
    settings_.give_back();
}

awaitable<void> SpareMemory::close() {
    closed_ = true;
    changed_.notify();
    co_await tasks_.join();
}

}  // namespace launch
