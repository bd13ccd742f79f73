// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/async/event.hpp"

namespace launch {

/// Runs blocking work (an ssh handshake) beside the io_context's thread, at most `limit` pieces at
/// once. Threads start when there is work and leave when there has been none for a while. The
/// destructor waits for running work: limit the work by deadlines and stop tokens. Work that cannot
/// be limited is for a DetachedPool.
class WorkerPool {
  public:
    WorkerPool(any_io_executor executor, size_t limit);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// Suspends until `work` has run in a thread of the pool. `work` must not throw. Throws
    /// NoThread if the pool has no thread and the system refuses one.
    awaitable<void> run(std::function<void()> work);

  private:
    struct Job {
        std::function<void()> work;
        std::function<void()> done;
    };
    void enqueue(Job job);
    bool add_thread();
    void work_loop();

    any_io_executor executor_;
    size_t limit_;
    std::mutex mutex_;
    std::deque<Job> queue_;
    std::condition_variable queued_;
    size_t active_ = 0;
    size_t idle_ = 0;
    bool stopping_ = false;
    std::vector<std::thread> threads_;
    std::vector<std::thread::id> left_;
};

}  // namespace launch
