// SPDX-License-Identifier: MIT
#include "core/async/worker_pool.hpp"

#include <algorithm>
#include <system_error>

#include "core/async/simulated_time.hpp"
#include "core/base/shortage.hpp"

namespace launch {

namespace {

constexpr std::chrono::milliseconds linger{100};

}  // namespace

WorkerPool::WorkerPool(any_io_executor executor, size_t limit)
    : executor_(std::move(executor)), limit_(limit) {}

WorkerPool::~WorkerPool() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    queued_.notify_all();
    for (auto& thread : threads_)
        thread.join();
}

awaitable<void> WorkerPool::run(std::function<void()> work) {
    if (SimulatedTime::current() != nullptr) {
        auto inlined = SimulatedTime::run_inline(executor_, std::move(work));
        co_await std::move(inlined);
        co_return;
    }
    Event finished(executor_);
    bool done = false;
    auto executor = executor_;
    enqueue({std::move(work), [executor, &finished, &done] {
                 asio::post(executor, [&finished, &done] {
                     done = true;
                     finished.notify();
                 });
             }});
    while (!done)
        co_await finished.wait();
}

void WorkerPool::enqueue(Job job) {
    std::vector<std::thread> finished;
    bool has_taker = true;
    {
        const std::lock_guard lock(mutex_);
        queue_.push_back(std::move(job));
        for (const auto id : std::exchange(left_, {})) {
            const auto at = std::find_if(threads_.begin(), threads_.end(),
                                         [id](const auto& t) { return t.get_id() == id; });
            finished.push_back(std::move(*at));
            threads_.erase(at);
        }
        if (idle_ >= queue_.size()) {
            queued_.notify_one();
        } else if (active_ < limit_) {
            has_taker = add_thread();
        }
    }
    for (auto& thread : finished)
        thread.join();
    if (!has_taker) throw NoThread();
}

/// False: the pool has no thread at all, and gives up its last job.
bool WorkerPool::add_thread() {
    try {
        threads_.emplace_back([this] { work_loop(); });
        ++active_;
    } catch (const std::system_error&) {
        if (active_ == 0) queue_.pop_back();
    }
    return active_ > 0;
}

void WorkerPool::work_loop() {
    std::unique_lock lock(mutex_);
    for (;;) {
        if (queue_.empty() && !stopping_) {
            ++idle_;
            queued_.wait_for(lock, linger, [this] { return !queue_.empty() || stopping_; });
            --idle_;
        }
        if (queue_.empty()) break;
        const Job job = std::move(queue_.front());
        queue_.pop_front();
        lock.unlock();
        job.work();
        job.done();
        lock.lock();
    }
    --active_;
    left_.push_back(std::this_thread::get_id());
}

}  // namespace launch
