// SPDX-License-Identifier: MIT
#include "core/async/gate.hpp"

#include <gtest/gtest.h>
#include <string>

#include "core/async/task_group.hpp"

namespace launch {
namespace {

struct Visits {
    explicit Visits(asio::io_context& io, size_t limit)
        : executor(io.get_executor()), gate(executor, limit), open(executor), group(executor) {}

    any_io_executor executor;
    Gate gate;
    Event open;
    TaskGroup group;
    std::stop_source stop;
    bool leave = false;
    std::string log;
};

/// Logs +NAME when it is in, -NAME when it was turned away; stays until `leave`.
awaitable<void> visit(Visits& all, char name, std::stop_token stop) {
    const auto pass = co_await all.gate.enter(std::move(stop));
    all.log += pass ? '+' : '-';
    all.log += name;
    while (pass && !all.leave)
        co_await all.open.wait();
}

void run(asio::io_context& io, Visits& all, std::function<void()> then) {
    asio::post(io, std::move(then));
    asio::co_spawn(io, all.group.join(), [](std::exception_ptr failure) {
        if (failure) std::rethrow_exception(failure);
    });
    io.run();
}

TEST(Gate, lets_in_as_many_as_it_may_in_order) {
    asio::io_context io;
    Visits all(io, 2);
    for (const char name : {'a', 'b', 'c', 'd'})
        all.group.spawn(visit(all, name, all.stop.get_token()));
    run(io, all, [&] {
        EXPECT_EQ(all.log, "+a+b");
        all.leave = true;
        all.open.notify();
    });
    EXPECT_EQ(all.log, "+a+b+c+d");
}

TEST(Gate, turns_away_who_waits_and_who_comes_after_a_stop) {
    asio::io_context io;
    Visits all(io, 1);
    for (const char name : {'a', 'b'})
        all.group.spawn(visit(all, name, all.stop.get_token()));
    run(io, all, [&] {
        all.stop.request_stop();
        all.group.spawn(visit(all, 'd', all.stop.get_token()));
        asio::post(io, [&] {
            EXPECT_EQ(all.log, "+a-d-b");
            all.leave = true;
            all.open.notify();
        });
    });
    EXPECT_EQ(all.log, "+a-d-b");
}

TEST(Gate, has_room_again_after_a_stop) {
    asio::io_context io;
    Visits all(io, 1);
    all.group.spawn(visit(all, 'a', {}));
    all.group.spawn(visit(all, 'b', all.stop.get_token()));
    run(io, all, [&] {
        all.stop.request_stop();
        all.leave = true;
        all.open.notify();
        all.group.spawn(visit(all, 'c', {}));
    });
    EXPECT_NE(all.log.find("+c"), std::string::npos) << all.log;
}

}  // namespace
}  // namespace launch
