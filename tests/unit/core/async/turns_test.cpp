// SPDX-License-Identifier: MIT
#include "core/async/turns.hpp"

#include <gtest/gtest.h>

#include "core/async/run.hpp"
#include "core/async/task_group.hpp"

namespace launch {
namespace {

struct Shop {
    explicit Shop(any_io_executor executor) : turns(executor) {}
    Turns turns;
    int there = 0;
    bool open = true;
    std::string sold;  ///< to whom
};

/// Comes back at once for the next one.
awaitable<void> buy(Shop& shop, char name, int wanted) {
    for (int i = 0; i < wanted; ++i) {
        Turns::Place place(shop.turns);
        while (shop.open && !(place.is_first() && shop.there > 0))
            co_await place.wait();
        if (!shop.open) co_return;
        --shop.there;
        shop.sold += name;
    }
}

/// So many, `at_once` each time.
awaitable<void> supply(any_io_executor executor, Shop& shop, int rounds, int at_once) {
    for (int i = 0; i < rounds; ++i) {
        shop.there += at_once;
        shop.turns.notify();
        for (int turn = 0; turn < 20; ++turn)
            co_await asio::post(executor, asio::use_awaitable);
    }
    shop.open = false;
    shop.turns.notify_all();
}

std::string sold_to_three(int rounds, int at_once, int last_wants) {
    asio::io_context io;
    Shop shop(io.get_executor());
    TaskGroup group(io.get_executor());
    group.spawn(buy(shop, 'a', 100));
    group.spawn(buy(shop, 'b', 100));
    group.spawn(buy(shop, 'c', last_wants));
    group.spawn(supply(io.get_executor(), shop, rounds, at_once));
    run_to_end(io, group.join());
    return shop.sold;
}

TEST(Turns, each_has_one_after_the_other) {
    EXPECT_EQ(sold_to_three(6, 1, 100), "abcabc");
    EXPECT_EQ(sold_to_three(2, 4, 100), "abcabcab")
        << "also where there is more than one at a time";
    EXPECT_EQ(sold_to_three(6, 1, 1), "abcaba") << "who has enough leaves the line";
}

TEST(Turns, who_leaves_without_its_turn_lets_the_next_one_through) {
    asio::io_context io;
    Turns turns(io.get_executor());
    auto first = std::make_unique<Turns::Place>(turns);
    auto second = std::make_unique<Turns::Place>(turns);
    const Turns::Place third(turns);
    EXPECT_FALSE(third.is_first());
    second.reset();
    EXPECT_FALSE(third.is_first());
    first.reset();
    EXPECT_TRUE(third.is_first());
}

TEST(Turns, may_end_before_who_waits) {
    asio::io_context io;
    auto turns = std::make_unique<Turns>(io.get_executor());
    const Turns::Place first(*turns);
    const Turns::Place second(*turns);
    turns.reset();
    EXPECT_TRUE(first.is_first());
}

}  // namespace
}  // namespace launch
