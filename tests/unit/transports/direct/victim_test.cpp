// SPDX-License-Identifier: MIT
#include "transports/direct/victim.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace launch {
namespace {

constexpr size_t room = 64;

TEST(ChooseVictim, takes_everybody_equally_often) {
    std::mt19937 random(7);
    std::vector<int> chosen(room);
    constexpr int rounds = 64'000;
    for (int i = 0; i < rounds; ++i)
        ++chosen.at(choose_victim(room, random));
    const auto [fewest, most] = std::minmax_element(chosen.begin(), chosen.end());
    EXPECT_GT(*fewest, rounds / static_cast<int>(room) * 4 / 5);
    EXPECT_LT(*most, rounds / static_cast<int>(room) * 6 / 5);
    EXPECT_EQ(choose_victim(1, random), 0U);
    EXPECT_LT(choose_victim(room, KernelRandom()), room);
}

/// Somebody keeps the room full. A relay comes, and as many strangers as there is room for before
/// it has proved itself: the oldest would be out each time.
TEST(ChooseVictim, leaves_a_relay_its_chance_however_many_come) {
    std::mt19937 random(11);
    constexpr int calls = 10'000;
    int stayed = 0;
    for (int call = 0; call < calls; ++call) {
        std::vector<bool> relay(room);  // who of those that are there is it
        relay.at(choose_victim(room, random)) = true;
        for (size_t came = 0; came < room; ++came)
            relay.at(choose_victim(room, random)) = false;
        stayed += std::count(relay.begin(), relay.end(), true) == 1 ? 1 : 0;
    }
    EXPECT_NEAR(stayed, calls * 0.365, calls * 0.02);  // (63/64)^64
}

}  // namespace
}  // namespace launch
