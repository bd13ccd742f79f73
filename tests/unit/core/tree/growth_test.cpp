// SPDX-License-Identifier: MIT
#include "core/tree/growth.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace launch {
namespace {

using Sizes = std::vector<NodeIndex>;

TEST(Growth, GoesToFreePlacesFirstAndThenToTheSmallestParts) {
    const struct {
        const char* what;
        Sizes sizes;
        size_t room;
        NodeIndex count;
        Sizes of_children;
        Sizes of_new;
    } rows[] = {
        {"one host, and room", {4, 4}, 1, 1, {0, 0}, {1}},
        {"one host, and no room", {4, 3, 4}, 0, 1, {0, 1, 0}, {}},
        {"room for all", {4}, 8, 3, {0}, {1, 1, 1}},
        {"no more than there is room for", {1, 1}, 2, 6, {1, 1}, {2, 2}},
        {"192 to 64 below 32", Sizes(32, 2), 0, 192, Sizes(32, 6), {}},
        {"parts become alike", {1, 5, 3}, 0, 6, {4, 0, 2}, {}},
        {"what does not come out even goes to the first", {2, 2, 2}, 0, 4, {2, 1, 1}, {}},
        {"nobody below yet", {}, 4, 2, {}, {1, 1}},
        {"nobody below and no room: a part of its own", {}, 0, 3, {}, {3}},
    };
    for (const auto& row : rows) {
        const auto shares = deal_growth(row.sizes, row.room, row.count);
        EXPECT_EQ(shares.of_children, row.of_children) << row.what;
        EXPECT_EQ(shares.of_new, row.of_new) << row.what;
    }
}

TEST(Growth, DealsAllAndLeavesNoPartBehindByMoreThanOne) {
    std::mt19937 random(7);
    for (int i = 0; i < 2000; ++i) {
        Sizes sizes(random() % 9);
        for (auto& size : sizes)
            size = static_cast<NodeIndex>(1 + random() % 50);
        const size_t room = random() % 5;
        const auto count = static_cast<NodeIndex>(1 + random() % 200);
        const auto shares = deal_growth(sizes, room, count);
        ASSERT_EQ(shares.of_children.size(), sizes.size());
        EXPECT_LE(shares.of_new.size(), std::max<size_t>(room, sizes.empty() ? 1 : 0));
        NodeIndex dealt = std::accumulate(shares.of_new.begin(), shares.of_new.end(), 0U);
        NodeIndex largest = 0;
        for (const NodeIndex part : shares.of_new) {
            EXPECT_GT(part, 0U);
            largest = std::max(largest, part);
        }
        NodeIndex smallest = shares.of_new.size() < room ? 0 : UINT32_MAX;
        for (const NodeIndex part : shares.of_new)
            smallest = std::min(smallest, part);
        for (size_t at = 0; at < sizes.size(); ++at) {
            dealt += shares.of_children[at];
            const NodeIndex size = sizes[at] + shares.of_children[at];
            smallest = std::min(smallest, size);
            if (shares.of_children[at] > 0) largest = std::max(largest, size);
        }
        EXPECT_EQ(dealt, count);
        EXPECT_LE(largest, smallest + 1) << i;  // of those that got any
    }
}

}  // namespace
}  // namespace launch
