// SPDX-License-Identifier: MIT
#include "modex/exchange/all_gather/choice.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

constexpr Peers none{};
constexpr Peers open{3, 8, false};
constexpr Peers lost{3, 8, true};
constexpr uint64_t mib = 1u << 20;

TEST(GatherChoice, what_a_link_may_take_its_time_for_goes_along) {
    for (const auto asked : {ModexChoice::automatic, ModexChoice::gather, ModexChoice::ring}) {
        EXPECT_EQ(most_carried(asked, none), PieceBatch::limit);
        EXPECT_EQ(most_carried(asked, lost), PieceBatch::limit);
    }
    EXPECT_EQ(most_carried(ModexChoice::automatic, open), PieceBatch::limit);
    EXPECT_EQ(most_carried(ModexChoice::gather, open), PieceBatch::limit);
}

TEST(GatherChoice, nothing_does_if_one_asks_for_peers) {
    for (const auto asked : {ModexChoice::ring, ModexChoice::bruck, ModexChoice::doubling})
        EXPECT_EQ(most_carried(asked, open), 0U);
}

TEST(GatherChoice, links_are_made_for_what_is_large_or_where_one_asks) {
    EXPECT_FALSE(worth_peers(ModexChoice::automatic, 4 * mib));
    EXPECT_TRUE(worth_peers(ModexChoice::automatic, 4 * mib + 1));
    EXPECT_TRUE(worth_peers(ModexChoice::on_demand, 5 * mib));
    EXPECT_FALSE(worth_peers(ModexChoice::gather, UINT64_MAX));
    EXPECT_TRUE(worth_peers(ModexChoice::bruck, 0));
}

TEST(GatherChoice, the_way_is_what_one_asks_for) {
    EXPECT_EQ(choose_way(ModexChoice::gather, false, mib, 4), GatherWay::tree);
    EXPECT_EQ(choose_way(ModexChoice::ring, true, 1, 4), GatherWay::ring);
    EXPECT_EQ(choose_way(ModexChoice::bruck, true, 100 * mib, 4), GatherWay::bruck);
    EXPECT_EQ(choose_way(ModexChoice::doubling, false, 100 * mib, 4), GatherWay::doubling);
}

TEST(GatherChoice, or_the_tree_for_what_is_not_large) {
    for (const bool hypercube : {false, true})
        EXPECT_EQ(choose_way(ModexChoice::automatic, hypercube, 4 * mib, 2), GatherWay::tree);
}

TEST(GatherChoice, or_by_the_size_of_a_contribution) {
    EXPECT_EQ(choose_way(ModexChoice::automatic, false, 100 * mib, 201), GatherWay::bruck);
    EXPECT_EQ(choose_way(ModexChoice::automatic, false, 100 * mib, 200), GatherWay::ring);
    EXPECT_EQ(choose_way(ModexChoice::on_demand, false, 100 * mib, 2), GatherWay::ring);
}

TEST(GatherChoice, or_by_the_links_there_are) {
    EXPECT_EQ(choose_way(ModexChoice::automatic, true, 100 * mib, 2), GatherWay::doubling);
}

}  // namespace
}  // namespace launch
