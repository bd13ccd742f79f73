// SPDX-License-Identifier: MIT
#include "core/tree/subtree_map.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace launch {
namespace {

using Ranges = std::vector<NodeRange>;

TEST(SubtreeMap, KnowsWhoHasANode) {
    SubtreeMap map;
    EXPECT_EQ(map.owner(1), std::nullopt);
    map.give(1, {1, 4});
    map.give(2, {5, 3});
    EXPECT_EQ(map.owner(0), std::nullopt);
    EXPECT_EQ(map.owner(4), 1U);
    EXPECT_EQ(map.owner(5), 2U);
    EXPECT_EQ(map.owner(8), std::nullopt);
    EXPECT_EQ(map.nodes_of(1), (Ranges{{1, 4}}));
    EXPECT_EQ(map.count(2), 3U);
}

TEST(SubtreeMap, RemembersWhomALostNodeWasBelow) {
    SubtreeMap map;
    map.give(1, {1, 6});
    map.lose({3, 2});
    EXPECT_EQ(map.nodes_of(1), (Ranges{{1, 2}, {5, 2}}));
    EXPECT_EQ(map.nodes_ever_of(1), (Ranges{{1, 6}}));
    map.move(1, 2, {4, 3});
    EXPECT_EQ(map.nodes_ever_of(1), (Ranges{{1, 3}}));
    EXPECT_EQ(map.nodes_ever_of(2), (Ranges{{4, 3}}));
    EXPECT_EQ(map.nodes_of(2), (Ranges{{5, 2}}));
}

/// Also one that was never below this node, of which it is told that it is not to come.
TEST(SubtreeMap, KnowsWhoIsLost) {
    SubtreeMap map;
    map.give(1, {2, 4});
    map.lose({3, 1});
    map.lose({9, 1});
    for (const NodeIndex node : {2U, 4U, 8U})
        EXPECT_FALSE(map.is_lost(node)) << node;
    EXPECT_TRUE(map.is_lost(3));
    EXPECT_TRUE(map.is_lost(9));
    map.give(2, {9, 1});
    EXPECT_TRUE(map.is_lost(9)) << "what is lost stays lost";
}

TEST(SubtreeMap, PartsWithinARangeAreCutAtItsEnds) {
    const Ranges ranges{{1, 3}, {6, 2}, {10, 5}, {4'000'000'000, 294'967'295}};
    EXPECT_EQ(parts_within(ranges, {1, 14}), (Ranges{{1, 3}, {6, 2}, {10, 5}}));
    EXPECT_EQ(parts_within(ranges, {3, 4}), (Ranges{{3, 1}, {6, 1}}));
    EXPECT_EQ(parts_within(ranges, {4, 2}), Ranges{});
    EXPECT_EQ(parts_within(ranges, {12, 4'294'967'283}), (Ranges{{12, 3}, ranges.back()}));
    EXPECT_EQ(parts_without(ranges, {3, 4}), (Ranges{{1, 2}, {7, 1}, {10, 5}, ranges.back()}));
    EXPECT_EQ(parts_without(ranges, {0, 1}), ranges);
    EXPECT_EQ(parts_without(ranges, {7, UINT32_MAX - 6}), (Ranges{{1, 3}, {6, 1}}));
}

TEST(SubtreeMap, CountsANodeOnceHoweverOftenItMoves) {
    SubtreeMap map;
    map.give(1, {1, 10});
    map.release(1, {4, 4});
    map.release(1, {4, 2});
    map.release(1, {6, 3});
    EXPECT_EQ(map.count(1), 5U);
    EXPECT_EQ(map.nodes_of(1), (Ranges{{1, 3}, {9, 2}}));
}

TEST(SubtreeMap, MovesOnlyWhatTheOtherStillHas) {
    SubtreeMap map;
    map.give(1, {1, 10});
    map.move(1, 2, {6, 2});
    map.move(1, 3, {4, 7});  // says that 6 and 7 are below it: they have come here themselves
    EXPECT_EQ(map.nodes_of(1), (Ranges{{1, 3}}));
    EXPECT_EQ(map.nodes_of(2), (Ranges{{6, 2}}));
    EXPECT_EQ(map.nodes_of(3), (Ranges{{4, 2}, {8, 3}}));
}

TEST(SubtreeMap, NobodyTakesWhatIsLost) {
    SubtreeMap map;
    map.give(1, {1, 10});
    map.lose({3, 2});
    map.give(2, {1, 10});
    map.move(1, 3, {3, 2});
    map.release(1, {3, 2});
    EXPECT_EQ(map.owner(3), std::nullopt);
    EXPECT_EQ(map.last_owner(3), 2U);
    map.release_all(2);
    EXPECT_EQ(map.last_owner(3), std::nullopt);
    map.give(2, {1, 10});
    EXPECT_EQ(map.last_owner(4), 2U);
    EXPECT_EQ(map.owner(4), std::nullopt);
    EXPECT_EQ(map.nodes_of(2), (Ranges{{1, 2}, {5, 6}}));
}

TEST(SubtreeMap, EndsWithTheLastNodeThatCanBe) {
    SubtreeMap map;
    map.give(1, {UINT32_MAX - 1, 2});
    EXPECT_EQ(map.owner(UINT32_MAX), 1U);
    map.lose({UINT32_MAX, 1});
    EXPECT_EQ(map.nodes_of(1), (Ranges{{UINT32_MAX - 1, 1}}));
}

/// The same in an array with a place for each node.
class PlainMap {
  public:
    explicit PlainMap(size_t nodes) : owners_(nodes) {}

    template <class Change>
    void alter(NodeRange nodes, const Change& change) {
        for (NodeIndex i = 0; i < nodes.count; ++i)
            change(owners_[nodes.first + i]);
    }
    Ranges nodes_of(uint32_t child) const {
        Ranges nodes;
        for (NodeIndex i = 0; i < owners_.size(); ++i) {
            if (owners_[i].lost || owners_[i].child != child) continue;
            if (!nodes.empty() && nodes.back().first + nodes.back().count == i)
                ++nodes.back().count;
            else
                nodes.push_back({i, 1});
        }
        return nodes;
    }

    struct Owner {
        uint32_t child = 0;
        bool lost = false;
    };

  private:
    std::vector<Owner> owners_;
};

class ManyNodes : public testing::TestWithParam<std::pair<NodeIndex, int>> {};

TEST_P(ManyNodes, DoesAsAPlainArrayDoes) {
    const auto [nodes, runs] = GetParam();
    std::mt19937 random(7);
    const auto draw = [&](uint32_t below) { return static_cast<uint32_t>(random() % below); };
    for (int run = 0; run < runs; ++run) {
        SubtreeMap map;
        PlainMap plain(nodes);
        for (int step = 0; step < 40; ++step) {
            const NodeIndex first = draw(nodes);
            const NodeRange range{first, draw(nodes - first + 1)};
            const uint32_t child = 1 + draw(4), other = 1 + draw(4);
            using Owner = PlainMap::Owner;
            switch (draw(8)) {
                case 0:
                case 1:
                case 2:
                    map.give(child, range);
                    plain.alter(range, [&](Owner& one) { one.child = child; });
                    break;
                case 3:
                case 4:
                    map.move(child, other, range);
                    plain.alter(range, [&](Owner& one) {
                        if (one.child == child) one.child = other;
                    });
                    break;
                case 5:
                case 6:
                    map.release(child, range);
                    plain.alter(range, [&](Owner& one) {
                        if (one.child == child) one.child = 0;
                    });
                    break;
                default:
                    map.lose({first, std::min<NodeIndex>(range.count, 3)});
                    plain.alter({first, std::min<NodeIndex>(range.count, 3)},
                                [](Owner& one) { one.lost = true; });
            }
            for (uint32_t each = 1; each <= 4; ++each)
                ASSERT_EQ(map.nodes_of(each), plain.nodes_of(each)) << run << "." << step;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(SubtreeMap, ManyNodes,
                         testing::Values(std::pair<NodeIndex, int>{60, 300},
                                         std::pair<NodeIndex, int>{300, 60}));

}  // namespace
}  // namespace launch
