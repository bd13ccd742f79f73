// SPDX-License-Identifier: MIT
#include "core/tree/routing.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

using Ranges = std::vector<NodeRange>;

Routing with_placed(std::vector<NodeIndex> nodes) {
    Routing routing(0, 10, 10);
    for (const NodeIndex node : nodes)
        routing.placed[node] = true;
    return routing;
}

TEST(Routing, who_comes_to_its_first_place_brings_all_that_have_none) {
    EXPECT_EQ(with_placed({}).moving_with({{3, 6}}), (Ranges{{3, 6}}));
    EXPECT_EQ(with_placed({1, 2, 9}).moving_with({{3, 6}}), (Ranges{{3, 6}}));
    EXPECT_EQ(with_placed({4}).moving_with({{3, 6}}), (Ranges{{3, 1}, {5, 4}}));
    EXPECT_EQ(with_placed({5, 6, 8}).moving_with({{3, 6}}), (Ranges{{3, 2}, {7, 1}}));
    EXPECT_EQ(with_placed({4}).moving_with({{3, 1}}), (Ranges{{3, 1}}));
}

TEST(Routing, who_had_a_place_brings_all_that_were_below_it) {
    EXPECT_EQ(with_placed({3, 5, 6}).moving_with({{3, 6}}), (Ranges{{3, 6}}));
}

TEST(Routing, has_one_rule_for_all_ranges_that_come_with_the_first_node) {
    EXPECT_EQ(with_placed({7, 8}).moving_with({{3, 1}, {5, 1}, {7, 3}}),
              (Ranges{{3, 1}, {5, 1}, {9, 1}}));
    EXPECT_EQ(with_placed({3, 8}).moving_with({{3, 1}, {5, 1}, {7, 3}}),
              (Ranges{{3, 1}, {5, 1}, {7, 3}}));
}

TEST(Routing, knows_no_node_beyond_the_tree) {
    EXPECT_FALSE(with_placed({9}).has_place(10));
    EXPECT_TRUE(with_placed({9}).has_place(9));
}

}  // namespace
}  // namespace launch
