// SPDX-License-Identifier: MIT
#include <atomic>
#include <gtest/gtest.h>
#include <latch>

#include "core/async/run.hpp"
#include "core/async/task_group.hpp"
#include "core/async/worker_pool.hpp"
#include "tests/unit/core/harness/comes_true.hpp"
#include "tests/unit/core/harness/other_threads.hpp"
#include "tests/unit/core/harness/simulated_run.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;

awaitable<void> wait_for_flag(Event& event, const bool& flag, int& woken) {
    while (!flag)
        co_await event.wait();
    ++woken;
}

awaitable<void> notify_after(any_io_executor executor, Event& event, bool& flag) {
    co_await sleep_for(executor, milliseconds{5});
    flag = true;
    event.notify();
}

TEST(Event, wakes_all_who_wait) {
    SimulatedRun run;
    const auto executor = run.io.get_executor();
    Event event(executor);
    bool flag = false;
    int woken = 0;
    TaskGroup group(executor);
    for (int i = 0; i < 3; ++i)
        group.spawn(wait_for_flag(event, flag, woken));
    group.spawn(notify_after(executor, event, flag));
    EXPECT_TRUE(run.run(group.join()));
    EXPECT_EQ(woken, 3);
}

TEST(Event, gives_up_at_the_deadline) {
    SimulatedRun run;
    Event event(run.io.get_executor());
    const auto deadline = Clock::now() + milliseconds{10};
    EXPECT_TRUE(run.run(event.wait_until(deadline)));
    EXPECT_EQ(Clock::now(), deadline);
}

awaitable<void> sleep_long(any_io_executor executor, std::stop_token stop) {
    co_await sleep_for(executor, std::chrono::minutes{1}, std::move(stop));
}

TEST(Sleep, is_ended_by_a_stop_also_by_one_that_came_before) {
    SimulatedRun run;
    const auto executor = run.io.get_executor();
    std::stop_source stop;
    const auto begin = Clock::now();
    TaskGroup group(executor);
    group.spawn(sleep_long(executor, stop.get_token()));
    settle(run.io);
    stop.request_stop();
    group.spawn(sleep_long(executor, stop.get_token()));
    EXPECT_TRUE(run.run(group.join()));
    EXPECT_EQ(Clock::now(), begin);
}

TEST(Sleep, takes_its_time_without_a_stop) {
    SimulatedRun run;
    const std::stop_source stop;
    const auto begin = Clock::now();
    EXPECT_TRUE(run.run(sleep_for(run.io.get_executor(), milliseconds{10}, stop.get_token())));
    EXPECT_EQ(Clock::now() - begin, milliseconds{10});
}

awaitable<void> cancel_and_join(TaskGroup& group) {
    group.cancel();
    co_await group.join();
}

TEST(TaskGroup, cancels_and_drains) {
    asio::io_context io;
    Event event(io.get_executor());
    bool stop = false;
    int ended = 0;
    TaskGroup group(io.get_executor());
    for (int i = 0; i < 4; ++i) {
        group.spawn(wait_for_flag(event, stop, ended), [&] {
            stop = true;
            event.notify();
        });
    }
    run_to_end(io, cancel_and_join(group));
    EXPECT_EQ(ended, 4);
    EXPECT_EQ(group.size(), 0u);
}

awaitable<void> fail() {
    throw std::runtime_error("child");
    co_return;
}

TEST(TaskGroup, an_exception_of_a_child_does_not_wait_for_join) {
    asio::io_context io;
    Event event(io.get_executor());
    bool never = false;
    int woken = 0;
    TaskGroup group(io.get_executor());
    group.spawn(wait_for_flag(event, never, woken));
    group.spawn(fail());
    EXPECT_THROW(io.run(), std::runtime_error);
    EXPECT_EQ(group.size(), 1u);
    never = true;  // NOLINT(clang-analyzer-deadcode.DeadStores): the first child reads it
    event.notify();
    io.run();
    EXPECT_EQ(woken, 1);
}

void run_a_failing_child() {
    asio::io_context io;
    Event event(io.get_executor());
    bool never = false;
    int woken = 0;
    TaskGroup group(io.get_executor());
    group.spawn(fail());
    run_to_end(io, wait_for_flag(event, never, woken));
}

TEST(RunToEndDeathTest, an_exception_of_a_child_ends_the_process) {
    EXPECT_DEATH(run_a_failing_child(), "child");
}

awaitable<void> run_work(WorkerPool& pool, std::function<void()> work) {
    co_await pool.run(std::move(work));
}

TEST(WorkerPool, keeps_to_its_limit_and_does_everything) {
    asio::io_context io;
    std::atomic<int> now{0};
    std::atomic<int> most{0};
    std::atomic<int> done{0};
    std::latch may_end{1};
    WorkerPool pool(io.get_executor(), 3);
    TaskGroup group(io.get_executor());
    for (int i = 0; i < 40; ++i) {
        group.spawn(run_work(pool, [&] {
            const int running = ++now;
            int seen = most;
            while (running > seen && !most.compare_exchange_weak(seen, running)) {
            }
            may_end.wait();
            --now;
            ++done;
        }));
    }
    settle(io);  // all of it is queued
    EXPECT_TRUE(comes_true(other_threads_wait));
    EXPECT_EQ(now, 3);
    may_end.count_down();
    io.restart();
    run_to_end(io, group.join());
    EXPECT_EQ(done, 40);
    EXPECT_EQ(most, 3);
}

}  // namespace
}  // namespace launch
