// SPDX-License-Identifier: MIT
#include "core/async/detached_pool.hpp"

#include <atomic>
#include <csignal>
#include <filesystem>
#include <gtest/gtest.h>
#include <set>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/async/task_group.hpp"
#include "core/base/fd.hpp"
#include "tests/unit/core/async/hang.hpp"
#include "tests/unit/core/harness/comes_true.hpp"
#include "tests/unit/core/harness/run_until.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

struct Counts {
    int done = 0;
    int given_up = 0;
};

awaitable<void> run_one(DetachedPool& pool, std::function<void()> work, milliseconds patience,
                        std::stop_token stop, Counts& counts) {
    const bool done = co_await pool.run(std::move(work), patience, std::move(stop));
    ++(done ? counts.done : counts.given_up);
}

/// Work that hangs, and wakes the io_context's thread when it does.
std::function<void()> hanging_call(asio::io_context& io, std::shared_ptr<Hang> hang) {
    const auto wake = [&io] { asio::post(io, [] {}); };
    return [hang = std::move(hang), wake] { hang->hang(wake); };
}

void run(asio::io_context& io, TaskGroup& group) {
    io.restart();
    asio::co_spawn(io, group.join(), [](std::exception_ptr failure) {
        if (failure) std::rethrow_exception(failure);
    });
    io.run();
}

TEST(DetachedPool, does_everything) {
    asio::io_context io;
    const auto ran = std::make_shared<std::atomic<int>>(0);
    Counts counts;
    DetachedPool pool(io.get_executor(), 8);
    TaskGroup group(io.get_executor());
    for (int i = 0; i < 300; ++i)
        group.spawn(run_one(
            pool, [ran] { ++*ran; }, minutes{1}, {}, counts));
    run(io, group);
    EXPECT_EQ(*ran, 300);
    EXPECT_EQ(counts.done, 300);
}

TEST(DetachedPool, goes_on_and_ends_while_calls_hang) {
    const auto hang = std::make_shared<Hang>();
    {
        asio::io_context io;
        std::stop_source stop;
        Counts hanging;
        Counts healthy;
        DetachedPool pool(io.get_executor(), 64);
        TaskGroup group(io.get_executor());
        for (int i = 0; i < 20; ++i)
            group.spawn(
                run_one(pool, hanging_call(io, hang), minutes{2}, stop.get_token(), hanging));
        for (int i = 0; i < 20; ++i)
            group.spawn(run_one(
                pool, [] {}, minutes{2}, {}, healthy));
        EXPECT_TRUE(run_until(io, [&] { return hang->hanging() == 20; }));
        stop.request_stop();
        run(io, group);
        EXPECT_EQ(hanging.given_up, 20);
        EXPECT_EQ(healthy.done, 20);
    }
    EXPECT_EQ(hang->let_go(), 20u);
}

TEST(DetachedPool, keeps_to_its_limit) {
    const auto hang = std::make_shared<Hang>();
    {
        asio::io_context io;
        std::stop_source stop;
        Counts hanging;
        Counts queued;
        DetachedPool pool(io.get_executor(), 6);
        TaskGroup group(io.get_executor());
        for (int i = 0; i < 6; ++i)
            group.spawn(
                run_one(pool, hanging_call(io, hang), minutes{2}, stop.get_token(), hanging));
        EXPECT_TRUE(run_until(io, [&] { return hang->hanging() == 6; }));
        // The patience of these lasts for some pauses after which the pool may add threads.
        for (int i = 0; i < 14; ++i)
            group.spawn(run_one(pool, hanging_call(io, hang), milliseconds{200}, {}, queued));
        EXPECT_TRUE(run_until(io, [&] { return queued.given_up == 14; }));
        stop.request_stop();
        run(io, group);
        EXPECT_EQ(hanging.given_up, 6);
    }
    EXPECT_EQ(hang->let_go(), 6u);
}

TEST(DetachedPool, waits_no_longer_than_until_a_stop) {
    const auto hang = std::make_shared<Hang>();
    const auto begin = Clock::now();
    {
        asio::io_context io;
        std::stop_source stop;
        Counts counts;
        DetachedPool pool(io.get_executor(), 64);
        TaskGroup group(io.get_executor());
        for (int i = 0; i < 10; ++i)
            group.spawn(run_one(
                pool, [hang] { hang->hang(); }, minutes{1}, stop.get_token(), counts));
        asio::post(io, [&stop] { stop.request_stop(); });
        run(io, group);
        EXPECT_EQ(counts.given_up, 10);
    }
    EXPECT_LT(Clock::now() - begin, seconds{10});
    hang->let_go();
}

/// One after another; in how many threads.
awaitable<void> run_in_turn(DetachedPool& pool, int count, std::set<pid_t>& threads) {
    for (int i = 0; i < count; ++i) {
        const auto thread = std::make_shared<std::atomic<pid_t>>(0);
        std::function<void()> work = [thread] { *thread = gettid(); };
        co_await pool.run(std::move(work), minutes{1}, {});
        threads.insert(*thread);
    }
}

bool is_there(pid_t thread) {
    return std::filesystem::exists("/proc/self/task/" + std::to_string(thread));
}

TEST(DetachedPool, a_thread_may_stay_for_what_comes_next) {
    std::set<pid_t> threads;
    {
        asio::io_context io;
        DetachedPool pool(io.get_executor(), 8, minutes{10});
        TaskGroup group(io.get_executor());
        group.spawn(run_in_turn(pool, 20, threads));
        run(io, group);
        ASSERT_EQ(threads.size(), 1u);
        EXPECT_TRUE(is_there(*threads.begin()));
    }
    EXPECT_TRUE(comes_true([&] { return !is_there(*threads.begin()); })) << "it goes with the pool";
}

/// In a thread of the pool, which has nothing to do then and would leave. The child ends with that
/// thread from when the start is over: before its prctl() it would not.
awaitable<void> start_child(DetachedPool& pool, pid_t& child) {
    std::function<void()> start = [&child] {
        FdPair ready = make_pipe();
        child = fork();
        if (child != 0) {
            ready.second.reset();
            char byte = 0;
            EXPECT_EQ(read(ready.first.get(), &byte, 1), 1);
            return;
        }
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (write(ready.second.get(), "", 1) != 1) _exit(1);
        for (;;)
            pause();
    };
    co_await pool.run_starts(std::move(start), {});
}

TEST(DetachedPool, a_thread_that_has_started_a_child_stays_as_long_as_the_pool) {
    asio::io_context io;
    pid_t child = -1;
    {
        DetachedPool pool(io.get_executor(), 8);
        TaskGroup group(io.get_executor());
        group.spawn(start_child(pool, child));
        run(io, group);
        ASSERT_GT(child, 0);
        EXPECT_EQ(waitpid(child, nullptr, WNOHANG), 0);
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(WTERMSIG(status), SIGKILL);
}

TEST(DetachedPool, one_that_stays_does_not_keep_others_from_their_threads) {
    const auto hang = std::make_shared<Hang>();
    {
        asio::io_context io;
        std::stop_source stop;
        Counts hanging;
        Counts healthy;
        std::set<pid_t> threads;
        DetachedPool pool(io.get_executor(), 64, minutes{10});
        TaskGroup group(io.get_executor());
        group.spawn(run_in_turn(pool, 1, threads));
        for (int i = 0; i < 3; ++i)
            group.spawn(
                run_one(pool, hanging_call(io, hang), minutes{2}, stop.get_token(), hanging));
        group.spawn(run_one(
            pool, [] {}, minutes{2}, {}, healthy));
        EXPECT_TRUE(run_until(io, [&] { return hang->hanging() == 3 && healthy.done == 1; }));
        stop.request_stop();
        run(io, group);
        EXPECT_EQ(hanging.given_up, 3);
    }
    hang->let_go();
}

}  // namespace
}  // namespace launch
