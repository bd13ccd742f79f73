// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <utility>

#include "core/async/task_group.hpp"

namespace launch {

/// Has something happen after that time, in a task of the group.
inline void after(TaskGroup& tasks, const any_io_executor& executor, Clock::duration time,
                  std::function<void()> what) {
    const auto later = [](any_io_executor on, Clock::duration rest,
                          std::function<void()> then) -> awaitable<void> {
        co_await sleep_for(on, rest);
        then();
    };
    tasks.spawn(later(executor, time, std::move(what)));
}

}  // namespace launch
