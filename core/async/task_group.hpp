// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <list>

#include "core/async/event.hpp"

namespace launch {

/// Owns coroutines that start and end while their owner lives. None outlives the group: the
/// owner cancels, then joins, before it goes.
///
///     TaskGroup group(executor);
///     group.spawn(read_loop(link), [&link] { link.close(); });
///     ...
///     group.cancel();
///     co_await group.join();
///
/// Cancelling is cooperative: it calls what the child was spawned with, which closes what the
/// child waits for. (Asio 1.22's own cancellation of co_spawn may free a frame twice.)
/// An exception that leaves a child leaves the io_context's run() at once (see run_to_end): an
/// owner that waits for something else than this child would never learn of it.
class TaskGroup {
  public:
    explicit TaskGroup(any_io_executor executor);
    ~TaskGroup();
    TaskGroup(const TaskGroup&) = delete;
    TaskGroup& operator=(const TaskGroup&) = delete;

    void spawn(awaitable<void> task, std::function<void()> cancel = {});
    void cancel();
    awaitable<void> join();
    size_t size() const { return children_.size(); }

  private:
    any_io_executor executor_;
    Event changed_;
    std::list<std::function<void()>> children_;
};

}  // namespace launch
