// SPDX-License-Identifier: MIT
#include "core/tree/spread.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

#include "tests/unit/topologies/families.hpp"

namespace launch {
namespace {

/// Plays the start of a tree in which some hosts are dead, as nodes do it.
class Start {
  public:
    Start(const Topology& topology, std::vector<bool> dead)
        : topology_(topology), dead_(std::move(dead)), tried_(dead_.size(), 0) {}

    /// How many deadlines pass, one after the other, until the last host has been tried.
    int deadlines() {
        const int passed = below(0, static_cast<NodeIndex>(dead_.size()));
        EXPECT_TRUE(std::all_of(tried_.begin() + 1, tried_.end(), [](int n) { return n == 1; }));
        return passed;
    }

  private:
    int below(NodeIndex first, NodeIndex size) {
        std::vector<NodeIndex> starts;
        topology_.children(0, size, starts);
        return all(first, size, starts);
    }
    int all(NodeIndex first, NodeIndex size, const std::vector<NodeIndex>& starts) {
        int longest = 0;
        for (size_t i = 0; i < starts.size(); ++i) {
            const NodeIndex end = i + 1 < starts.size() ? starts[i + 1] : size;
            longest = std::max(longest, one(first + starts[i], end - starts[i]));
        }
        return longest;
    }
    int one(NodeIndex first, NodeIndex size) {
        ++tried_[first];
        if (!dead_[first]) return below(first, size);
        return 1 + all(first, size, spread_rest(topology_, size));
    }

    const Topology& topology_;
    std::vector<bool> dead_;
    std::vector<int> tried_;
};

constexpr NodeIndex nodes = 1000;

TEST(SpreadRest, dead_hosts_in_a_row_cost_a_deadline_and_one_for_each_power_of_eight) {
    struct Row {
        NodeIndex dead;
        int deadlines;
    };
    for (const auto& topology : every_topology()) {
        for (const NodeIndex first : {1U, 2U, 3U, 17U}) {
            for (const auto& row : {Row{1, 1}, Row{9, 2}, Row{73, 3}, Row{585, 4}, Row{983, 5}}) {
                std::vector<bool> dead(nodes);
                std::fill_n(dead.begin() + first, row.dead, true);
                EXPECT_LE(Start(*topology, dead).deadlines(), row.deadlines)
                    << topology->name() << ", " << row.dead << " dead from " << first;
            }
        }
    }
}

TEST(SpreadRest, dead_hosts_anywhere_cost_no_more_than_if_all_were_dead) {
    std::minstd_rand random(1);
    for (const auto& topology : every_topology()) {
        for (const unsigned one_in : {2U, 3U, 10U, 100U}) {
            std::vector<bool> dead(nodes);
            for (NodeIndex i = 1; i < nodes; ++i)
                dead[i] = random() % one_in == 0;
            EXPECT_LE(Start(*topology, dead).deadlines(), 5)
                << topology->name() << ", one in " << one_in << " dead";
        }
    }
}

TEST(SpreadRest, makes_single_hosts_first_and_no_part_too_large) {
    using Starts = std::vector<NodeIndex>;
    EXPECT_EQ(spread_rest(*make_chain(), 1), Starts());
    EXPECT_EQ(spread_rest(*make_chain(), 4), (Starts{1, 2, 3}));
    EXPECT_EQ(spread_rest(*make_chain(), 12), (Starts{1, 2, 3, 4, 5, 6, 7, 8, 9, 11}));
    EXPECT_EQ(spread_rest(*make_kary(32), 33).size(), 32u);
    EXPECT_LE(spread_rest(*make_kary(32), 1000).size(), 48u);
    EXPECT_LE(spread_rest(*make_chain(), 1'000'000).size(), 64u);
    EXPECT_LE(spread_rest(*make_chain(), UINT32_MAX).size(), 96u);
}

}  // namespace
}  // namespace launch
