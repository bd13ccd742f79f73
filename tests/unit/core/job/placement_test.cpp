// SPDX-License-Identifier: MIT
#include "core/job/placement.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

#include "tests/unit/golden.hpp"

namespace launch {
namespace {

std::vector<std::vector<uint32_t>> ranks_by_node(const Placement& placement) {
    std::vector<std::vector<uint32_t>> nodes(placement.nodes());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for_each_rank(placement.node(i), [&](uint32_t rank) { nodes[i].push_back(rank); });
        EXPECT_EQ(local_size(placement.node(i)), nodes[i].size());
        EXPECT_TRUE(std::is_sorted(nodes[i].begin(), nodes[i].end()));
    }
    return nodes;
}

// "0 1 | 2 | ": the ranks of each host.
std::string shown(const Placement& placement) {
    std::string out;
    for (const auto& node : ranks_by_node(placement)) {
        for (uint32_t rank : node) {
            out += std::to_string(rank) + " ";
        }
        out += "| ";
    }
    return out;
}

constexpr Mapping block = Mapping::block;
constexpr Mapping cyclic = Mapping::cyclic;

TEST(Placement, places) {
    struct {
        const char* row;
        PlacementRequest request;
        const char* nodes;
        bool oversubscribed;
    } rows[] = {
        {"block fills", {{2, 3}, 0, 0, block}, "0 1 | 2 3 4 | ", false},
        {"block leaves hosts empty", {{2, 2, 2}, 3, 0, block}, "0 1 | 2 | | ", false},
        {"block passes over no slots", {{0, 2, 0, 1}, 3, 0, block}, "| 0 1 | | 2 | ", false},
        {"block shares in proportion", {{1, 3}, 8, 0, block}, "0 1 | 2 3 4 5 6 7 | ", true},
        {"block gives the rest to the first",
         {{1, 1, 1, 1}, 10, 0, block},
         "0 1 2 | 3 4 5 | 6 7 | 8 9 | ",
         true},
        {"block gives no rest without slots", {{0, 1, 1}, 3, 0, block}, "| 0 1 | 2 | ", true},
        {"block by ppn", {{9, 9, 9}, 0, 2, block}, "0 1 | 2 3 | 4 5 | ", false},
        {"block by ppn, fewer ranks", {{9, 9, 9}, 3, 2, block}, "0 1 | 2 | | ", false},
        {"block by ppn, more ranks", {{9, 9}, 5, 2, block}, "0 1 2 | 3 4 | ", true},
        {"cyclic deals", {{2, 2}, 0, 0, cyclic}, "0 2 | 1 3 | ", false},
        {"cyclic leaves hosts empty", {{2, 2, 2}, 2, 0, cyclic}, "0 | 1 | | ", false},
        {"cyclic passes over full hosts", {{1, 3, 2}, 0, 0, cyclic}, "0 | 1 3 5 | 2 4 | ", false},
        {"cyclic passes over no slots", {{0, 2, 0, 1}, 0, 0, cyclic}, "| 0 2 | | 1 | ", false},
        {"cyclic starts over", {{1, 2}, 5, 0, cyclic}, "0 3 | 1 2 4 | ", true},
        {"cyclic starts over, alike", {{2, 2}, 7, 0, cyclic}, "0 2 4 6 | 1 3 5 | ", true},
        {"cyclic by ppn", {{9, 9}, 0, 2, cyclic}, "0 2 | 1 3 | ", false},
        {"ppn replaces no slots", {{0, 0}, 0, 1, block}, "0 | 1 | ", false},
    };
    for (const auto& row : rows) {
        auto placement = place(row.request);
        ASSERT_TRUE(placement) << row.row << ": " << describe(placement.error());
        EXPECT_EQ(shown(*placement), row.nodes) << row.row;
        EXPECT_EQ(placement->oversubscribed(), row.oversubscribed) << row.row;
    }
}

TEST(Placement, refuses) {
    struct {
        const char* row;
        PlacementRequest request;
    } rows[] = {
        {"no host", {{}, 1, 0, block}},
        {"no slot", {{0, 0}, 1, 0, block}},
        {"too many asked", {{1}, 2147483648, 0, block}},
        {"too many slots", {{4294967295, 4294967295}, 0, 0, cyclic}},
        {"too many by ppn", {{1, 1}, 0, 4294967295, block}},
    };
    for (const auto& row : rows) {
        auto placement = place(row.request);
        ASSERT_FALSE(placement) << row.row;
        expect_golden(row.row, placement.error().cause);
        EXPECT_EQ(placement.error().kind, ErrorKind::usage) << row.row;
        EXPECT_EQ(placement.error().operation, "place the ranks") << row.row;
    }
}

// Dealing as the words say, a rank at a time.
std::vector<std::vector<uint32_t>> deal_slowly(const PlacementRequest& request, uint32_t ranks) {
    std::vector<std::vector<uint32_t>> nodes(request.slots.size());
    std::vector<uint32_t> free = request.slots;
    for (uint32_t rank = 0; rank < ranks;) {
        if (std::all_of(free.begin(), free.end(), [](uint32_t n) { return n == 0; })) {
            free = request.slots;
        }
        for (std::size_t i = 0; i < free.size() && rank < ranks; ++i) {
            if (free[i] == 0) continue;
            --free[i];
            nodes[i].push_back(rank++);
        }
    }
    return nodes;
}

PlacementRequest random_request(uint32_t seed) {
    std::mt19937 random(seed);
    auto below = [&](uint32_t n) { return static_cast<uint32_t>(random()) % n; };
    PlacementRequest request;
    for (uint32_t i = below(9) + 1; i > 0; --i) {
        request.slots.push_back(below(6));
    }
    request.slots.push_back(1);
    request.ranks = below(80);
    return request;
}

TEST(Placement, cyclic_is_dealing) {
    for (uint32_t seed = 0; seed < 5000; ++seed) {
        PlacementRequest request = random_request(seed);
        request.mapping = cyclic;
        auto placement = place(request);
        ASSERT_TRUE(placement) << "seed " << seed;
        ASSERT_EQ(ranks_by_node(*placement), deal_slowly(request, placement->ranks()))
            << "seed " << seed;
    }
}

TEST(Placement, block_is_contiguous_and_in_proportion) {
    for (uint32_t seed = 0; seed < 5000; ++seed) {
        PlacementRequest request = random_request(seed);
        auto placement = place(request);
        ASSERT_TRUE(placement) << "seed " << seed;
        uint32_t next = 0;
        for (std::size_t i = 0; i < placement->nodes(); ++i) {
            ASSERT_LE(placement->node(i).size(), 1u) << "seed " << seed;
            uint32_t size = local_size(placement->node(i));
            for (const RankRun& run : placement->node(i)) {
                ASSERT_EQ(run, (RankRun{next, size, 1})) << "seed " << seed;
            }
            next += size;
            bool over = placement->oversubscribed();
            ASSERT_TRUE(over ? size >= request.slots[i] : size <= request.slots[i])
                << "seed " << seed;
        }
        ASSERT_EQ(next, placement->ranks()) << "seed " << seed;
    }
}

TEST(Placement, has_an_inverse) {
    for (Mapping mapping : {block, cyclic}) {
        auto placement = place({{1, 0, 3, 2}, 9, 0, mapping});
        ASSERT_TRUE(placement);
        std::vector<uint32_t> inverse = placement->nodes_by_rank();
        ASSERT_EQ(inverse.size(), 9u);
        for (uint32_t i = 0; i < 4; ++i) {
            for_each_rank(placement->node(i), [&](uint32_t rank) { EXPECT_EQ(inverse[rank], i); });
        }
    }
}

TEST(Placement, keeps_alike_hosts_at_one_run_each) {
    for (Mapping mapping : {block, cyclic}) {
        auto placement = place({std::vector<uint32_t>(1'000'000, 4), 2'000'000'000, 0, mapping});
        ASSERT_TRUE(placement);
        for (std::size_t i = 0; i < placement->nodes(); ++i) {
            ASSERT_EQ(placement->node(i).size(), 1u);
            ASSERT_EQ(placement->node(i)[0].count, 2000u);
        }
    }
}

TEST(Placement, is_arranged_among_other_hosts) {
    const auto placement = place({.slots = {2, 1, 3}, .mapping = cyclic});
    ASSERT_TRUE(placement);
    EXPECT_EQ(shown(*placement), "0 3 | 1 | 2 4 5 | ");
    const std::vector<uint32_t> hosts = {4, 0, 1};
    const auto arranged = placement->arranged(hosts, 5);
    EXPECT_EQ(shown(arranged), "1 | 2 4 5 | | | 0 3 | ");
    EXPECT_EQ(arranged.ranks(), 6u);
    EXPECT_EQ(arranged.slots(), 6u);
    EXPECT_EQ(arranged.nodes_by_rank(), (std::vector<uint32_t>{4, 0, 1, 4, 1, 1}));
}

TEST(Placement, tells_of_too_few_slots) {
    EXPECT_EQ(oversubscription(*place({.slots = {2, 1}, .ranks = 3})), "");
    EXPECT_EQ(oversubscription(*place({.slots = {2, 1}, .ranks = 4})), "4 ranks on 3 slots");
    EXPECT_EQ(oversubscription(*place({.slots = {9}, .ranks = 2, .ppn = 1})), "2 ranks on 1 slot");
}

}  // namespace
}  // namespace launch
