// SPDX-License-Identifier: MIT
#include "core/async/task_group.hpp"

#include <cassert>
#include <exception>

namespace launch {

TaskGroup::TaskGroup(any_io_executor executor) : executor_(executor), changed_(executor) {}

TaskGroup::~TaskGroup() {
    assert(children_.empty());
}

void TaskGroup::spawn(awaitable<void> task, std::function<void()> cancel) {
    const auto child = children_.insert(children_.end(), std::move(cancel));
    asio::co_spawn(executor_, std::move(task), [this, child](std::exception_ptr failure) {
        children_.erase(child);
        changed_.notify();
        if (failure) std::rethrow_exception(failure);
    });
}

void TaskGroup::cancel() {
    // A cancel function may end other children: walk a copy.
    const auto children = children_;
    for (const auto& cancel_child : children) {
        if (cancel_child) cancel_child();
    }
}

awaitable<void> TaskGroup::join() {
    while (!children_.empty())
        co_await changed_.wait();
}

}  // namespace launch
