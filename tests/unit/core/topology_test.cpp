// SPDX-License-Identifier: MIT
#include "core/topology.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

using Ranges = std::vector<NodeRange>;

struct AppendCase {
    Ranges before;
    NodeRange next;
    Ranges after;
};

TEST(NodeRanges, nodes_that_follow_the_last_range_join_it) {
    const std::vector<AppendCase> cases = {
        {{}, {4, 1}, {{4, 1}}},
        {{{4, 1}}, {5, 1}, {{4, 2}}},
        {{{4, 1}}, {5, 7}, {{4, 8}}},
        {{{4, 1}}, {6, 1}, {{4, 1}, {6, 1}}},
        {{{4, 2}}, {3, 1}, {{4, 2}, {3, 1}}},
        {{{4, 2}}, {5, 1}, {{4, 2}, {5, 1}}},
        {{{1, 1}, {4, 2}}, {6, 3}, {{1, 1}, {4, 5}}},
        {{{1, 1}, {4, 2}}, {2, 1}, {{1, 1}, {4, 2}, {2, 1}}},
    };
    for (size_t i = 0; i < cases.size(); ++i) {
        Ranges ranges = cases[i].before;
        append_nodes(ranges, cases[i].next);
        EXPECT_EQ(ranges, cases[i].after) << "case " << i;
    }
}

}  // namespace
}  // namespace launch
