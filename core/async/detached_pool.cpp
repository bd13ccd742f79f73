// SPDX-License-Identifier: MIT
#include "core/async/detached_pool.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "core/async/signals_blocked.hpp"
#include "core/async/simulated_time.hpp"
#include "core/base/shortage.hpp"

namespace launch {
namespace {

constexpr size_t few_threads = 4;
/// Work that has waited for so long waits for something that is slow, or hangs.
constexpr std::chrono::milliseconds growth_pause{50};
/// A process that was at its limit of threads for so long stays there.
constexpr std::chrono::seconds refusal_patience{2};

}  // namespace

struct DetachedPool::Job {
    explicit Job(std::function<void()> what, bool starts = false)
        : work(std::move(what)), starts_children(starts) {}

    const std::function<void()> work;
    const bool starts_children;
    bool queued = true;       ///< under the mutex
    bool done = false;        ///< of the executor's thread, like what follows
    Event* waiter = nullptr;  ///< null: nobody waits any more
};

/// State that the threads share: it lives as long as the last of them. All under the mutex.
struct DetachedPool::Shared {
    Shared(any_io_executor where, size_t most, Clock::duration idle)
        : executor(std::move(where)), limit(most), linger(idle) {}

    /// The life of a thread.
    static void work_through(const std::shared_ptr<Shared>& shared);
    bool wait_for_work(std::unique_lock<std::mutex>& lock, bool stays);
    void add_threads(const std::shared_ptr<Shared>& self, size_t count);
    void grow(const std::shared_ptr<Shared>& self);
    /// There is an idle thread for each piece of work in the queue.
    bool has_takers() const { return queue.size() <= threads - busy; }
    /// Until when work waits for the first thread.
    Clock::time_point last_growth() const {
        const bool refused = threads == 0 && refused_at;
        return refused ? *refused_at + refusal_patience : Clock::time_point::max();
    }

    std::mutex mutex;
    std::optional<any_io_executor> executor;  ///< none: the pool is gone, perhaps its io_context
    const size_t limit;
    const Clock::duration linger;
    std::deque<std::shared_ptr<Job>> queue;
    std::condition_variable changed;  ///< work came, or the pool is gone
    size_t threads = 0;
    size_t busy = 0;  ///< of the threads
    Clock::time_point next_growth;
    std::optional<Clock::time_point> refused_at;  ///< the system has refused all threads since
};

void DetachedPool::Shared::work_through(const std::shared_ptr<Shared>& shared) {
    std::unique_lock lock(shared->mutex);
    bool stays = false;
    while (shared->wait_for_work(lock, stays)) {
        const auto job = std::move(shared->queue.front());
        shared->queue.pop_front();
        job->queued = false;
        ++shared->busy;
        lock.unlock();
        stays = stays || job->starts_children;
        job->work();
        lock.lock();
        --shared->busy;
        if (!shared->executor) continue;
        asio::post(*shared->executor, [job] {
            job->done = true;
            if (job->waiter != nullptr) job->waiter->notify();
        });
    }
    --shared->threads;
}

/// False: this thread is not needed any more.
bool DetachedPool::Shared::wait_for_work(std::unique_lock<std::mutex>& lock, bool stays) {
    const auto is_over = [this] { return !queue.empty() || !executor; };
    if (stays)
        changed.wait(lock, is_over);
    else if (queue.empty() && executor && linger > Clock::duration::zero())
        changed.wait_for(lock, linger, is_over);
    return !queue.empty();
}

/// A thread that the system refuses is asked for again with the next growth.
void DetachedPool::Shared::add_threads(const std::shared_ptr<Shared>& self, size_t count) {
    try {
        for (; count > 0 && threads < limit; --count) {
            const SignalsBlocked blocked;
            std::thread(work_through, self).detach();
            ++threads;
            refused_at.reset();
        }
    } catch (const std::system_error&) {
        if (!refused_at) refused_at = Clock::now();
    }
}

void DetachedPool::Shared::grow(const std::shared_ptr<Shared>& self) {
    if (Clock::now() < next_growth) return;
    next_growth = Clock::now() + growth_pause;
    add_threads(self, std::min(queue.size(), std::max(threads, few_threads)));
}

DetachedPool::DetachedPool(any_io_executor executor, size_t limit, Clock::duration linger)
    : executor_(executor), shared_(std::make_shared<Shared>(std::move(executor), limit, linger)) {}

DetachedPool::~DetachedPool() {
    const std::lock_guard lock(shared_->mutex);
    shared_->executor.reset();
    shared_->queue.clear();
    shared_->changed.notify_all();
}

std::optional<Error> DetachedPool::no_thread() const {
    const std::lock_guard lock(shared_->mutex);
    if (shared_->threads > 0 || !shared_->refused_at) return std::nullopt;
    return no_thread_error();
}

awaitable<bool> DetachedPool::run(std::function<void()> work, Clock::duration patience,
                                  std::stop_token stop, Clock::duration grace) {
    Patience limits{Clock::now() + patience, std::move(stop), grace};
    return run_job(std::make_shared<Job>(std::move(work)), std::move(limits));
}

awaitable<bool> DetachedPool::run_starts(std::function<void()> work, std::stop_token stop) {
    Patience limits{Clock::time_point::max(), std::move(stop), {}};
    return run_job(std::make_shared<Job>(std::move(work), true), std::move(limits));
}

awaitable<bool> DetachedPool::run_job(std::shared_ptr<Job> job, Patience patience) {
    if (SimulatedTime::current() != nullptr) {
        auto work = SimulatedTime::run_inline(executor_, job->work);
        co_await std::move(work);
        co_return true;
    }
    Event done(executor_);
    job->waiter = &done;
    {
        const std::lock_guard lock(shared_->mutex);
        if (shared_->queue.empty()) {
            shared_->next_growth = Clock::now() + growth_pause;
            shared_->refused_at.reset();
        }
        shared_->queue.push_back(job);
        if (!shared_->has_takers() && shared_->threads < few_threads)
            shared_->add_threads(shared_, 1);
    }
    shared_->changed.notify_one();
    co_await wait(job, done, std::move(patience));
    job->waiter = nullptr;
    if (!job->done) {
        const std::lock_guard lock(shared_->mutex);
        std::erase(shared_->queue, job);
    }
    co_return job->done;
}

awaitable<void> DetachedPool::wait(std::shared_ptr<Job> job, Event& done, Patience patience) {
    const std::stop_callback stopped(patience.stop, [&done] { done.notify(); });
    auto deadline = patience.deadline;
    bool stopping = false;
    for (;;) {
        if (patience.stop.stop_requested() && !std::exchange(stopping, true))
            deadline = std::min(deadline, Clock::now() + patience.grace);
        if (job->done || Clock::now() >= deadline) co_return;
        auto until = deadline;
        {
            const std::lock_guard lock(shared_->mutex);
            if (job->queued && !shared_->has_takers()) {
                shared_->grow(shared_);
                if (Clock::now() >= shared_->last_growth()) co_return;
                until = std::min(deadline, shared_->next_growth);
            }
        }
        co_await done.wait_until(until);
    }
}

}  // namespace launch
