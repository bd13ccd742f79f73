#include "core/async/detached_pool.hpp"

#include <atomic>
#include <gtest/gtest.h>

#include "core/async/task_group.hpp"
#include "tests/unit/core/async/hang.hpp"

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

/// Requests the stop of calls that hang once `count` of them do, however slow the machine is, and
/// the pool had the time in which it adds more threads.
awaitable<void> stop_when_hanging(any_io_executor executor, std::shared_ptr<Hang> hang,
                                  size_t count, std::stop_source stop) {
    const auto give_up = Clock::now() + minutes{1};
    while (hang->hanging() < count && Clock::now() < give_up)
        co_await sleep_for(executor, milliseconds{5});
    co_await sleep_for(executor, milliseconds{200});
    stop.request_stop();
}

void run(asio::io_context& io, TaskGroup& group) {
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
            group.spawn(run_one(
                pool, [hang] { hang->hang(); }, minutes{2}, stop.get_token(), hanging));
        for (int i = 0; i < 20; ++i)
            group.spawn(run_one(
                pool, [] {}, minutes{2}, {}, healthy));
        group.spawn(stop_when_hanging(io.get_executor(), hang, 20, stop));
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
        Counts counts;
        DetachedPool pool(io.get_executor(), 6);
        TaskGroup group(io.get_executor());
        for (int i = 0; i < 20; ++i)
            group.spawn(run_one(
                pool, [hang] { hang->hang(); }, minutes{2}, stop.get_token(), counts));
        group.spawn(stop_when_hanging(io.get_executor(), hang, 6, stop));
        run(io, group);
        EXPECT_EQ(counts.given_up, 20);
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

}  // namespace
}  // namespace launch
