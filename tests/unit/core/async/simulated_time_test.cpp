// SPDX-License-Identifier: MIT
#include "core/async/simulated_time.hpp"

#include <gtest/gtest.h>

#include "core/async/event.hpp"
#include "core/base/boot_clock.hpp"
#include "core/base/unix_time.hpp"
#include "tests/unit/core/harness/run_until.hpp"

namespace launch {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

TEST(SimulatedTime, jumps_when_nothing_is_left_to_do) {
    asio::io_context io;
    const SimulatedTime time;
    std::vector<int> order;
    const auto wait = [&](int name, Clock::duration limit) {
        const auto task = [](asio::io_context& where, std::vector<int>& done, int number,
                             Clock::duration rest) -> awaitable<void> {
            co_await sleep_for(where.get_executor(), rest);
            done.push_back(number);
        };
        asio::co_spawn(io, task(io, order, name, limit), [](std::exception_ptr) {});
    };
    wait(3, hours{1});
    wait(1, milliseconds{5});
    wait(2, milliseconds{5});
    EXPECT_TRUE(run_until(io, [&] { return order.size() == 2; }));
    EXPECT_EQ(Clock::now() - SimulatedTime::beginning, milliseconds{5});
    EXPECT_FALSE(run_until(io, [&] { return order.size() == 3; }));  // far too long
    EXPECT_TRUE(run_simulated(
        io, [&] { return order.size() == 3; }, Clock::time_point::max()));
    EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(Clock::now() - SimulatedTime::beginning, hours{1});
}

TEST(SimulatedTime, is_what_each_clock_shows) {
    const SimulatedTime time;
    EXPECT_EQ(Clock::now(), SimulatedTime::beginning);
    EXPECT_EQ(BootClock::now().time_since_epoch(), SimulatedTime::beginning.time_since_epoch());
    EXPECT_EQ(unix_us_now(), 3'600'000'000'000U);
    Clock::pause(milliseconds{5});
    EXPECT_EQ(Clock::now() - SimulatedTime::beginning, milliseconds{5});
    EXPECT_EQ(unix_us_now(), 3'600'000'005'000U);
}

TEST(SimulatedTime, a_timer_whose_time_has_come_goes_off_at_once) {
    asio::io_context io;
    const SimulatedTime time;
    Timer timer(io.get_executor(), Clock::now());
    std::optional<std::error_code> told;
    timer.async_wait([&](std::error_code ec) { told = ec; });
    EXPECT_FALSE(told);  // not before it returns
    settle(io);
    EXPECT_EQ(told, std::error_code());
    EXPECT_EQ(Clock::now(), SimulatedTime::beginning);
}

TEST(SimulatedTime, a_timer_that_is_cancelled_or_set_anew_tells_who_waits) {
    asio::io_context io;
    const SimulatedTime time;
    Timer timer(io.get_executor(), milliseconds{10});
    int cancelled = 0;
    const auto count = [&](std::error_code ec) {
        if (ec == asio::error::operation_aborted) ++cancelled;
    };
    timer.async_wait(count);
    timer.async_wait(count);
    EXPECT_EQ(timer.cancel(), 2);
    EXPECT_EQ(timer.cancel(), 0);
    timer.async_wait(count);
    EXPECT_EQ(timer.expires_after(milliseconds{20}), 1);
    EXPECT_EQ(time.next(), Clock::time_point::max());  // nobody waits
    timer.async_wait(count);
    EXPECT_EQ(time.next() - Clock::now(), milliseconds{20});
    settle(io);
    EXPECT_EQ(cancelled, 3);
    timer.cancel();
    settle(io);
    EXPECT_EQ(cancelled, 4);
}

TEST(SimulatedTime, is_that_of_its_thread_while_it_exists) {
    {
        const SimulatedTime time;
        EXPECT_EQ(Clock::now(), SimulatedTime::beginning);
    }
    EXPECT_EQ(SimulatedTime::current(), nullptr);
    const auto before = std::chrono::steady_clock::now();
    EXPECT_GE(Clock::now(), before);
}

}  // namespace
}  // namespace launch
