// SPDX-License-Identifier: MIT
#include "modex/exchange/rank_routes.hpp"

#include <gtest/gtest.h>
#include <map>
#include <random>

namespace launch {
namespace {

using Ranks = std::vector<std::vector<RankRun>>;

TEST(RankRoutes, leads_to_the_child_of_every_rank) {
    const struct {
        const char* name;
        std::map<NodeIndex, Ranks> children;
    } rows[] = {
        {"none", {}},
        {"blocks", {{1, {{{1, 4, 1}}, {{5, 4, 1}}}}, {5, {{{9, 2, 1}}}}}},
        {"blocks in any order", {{1, {{{5, 4, 1}}, {}, {{1, 4, 1}}}}, {5, {{{9, 1, 7}}}}}},
        {"dealt in turn",
         {{1, {{{0, 5, 6}}, {{1, 5, 6}}, {{2, 5, 6}}}}, {4, {{{3, 5, 6}}, {{4, 5, 6}}}}}},
        {"dealt in turn, uneven",
         {{1, {{{0, 3, 4}, {12, 2, 2}}, {{1, 3, 4}, {13, 2, 2}}}},
          {3, {{{2, 3, 4}}, {{3, 3, 4}}}}}},
        {"dealt in turn, all of them", {{1, {{{0, 3, 2}}, {{1, 3, 2}}}}}},
        {"stride of one repetition", {{1, {{{3, 1, 9}}}}, {2, {{{4, 1, 0}}}}}},
        {"empty runs", {{1, {{{3, 0, 1}, {4, 1, 1}}}}}},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.name);
        RankRoutes routes;
        std::map<uint32_t, NodeIndex> expected;
        for (const auto& [child, ranks] : row.children) {
            uint32_t total = 0;
            for (const auto& node : ranks) {
                total += local_size(node);
                for_each_rank(node, [&, at = child](uint32_t rank) { expected[rank] = at; });
            }
            EXPECT_EQ(routes.add(child, ranks), total);
        }
        for (uint32_t rank = 0; rank < 40; ++rank) {
            const auto at = expected.find(rank);
            EXPECT_EQ(routes.child_of(rank),
                      at == expected.end() ? std::nullopt : std::optional(at->second))
                << "rank " << rank;
        }
        EXPECT_FALSE(routes.child_of(UINT32_MAX));
    }
}

TEST(RankRoutes, random_placements_too) {
    std::mt19937 random(2);
    for (int round = 0; round < 200; ++round) {
        RankRoutes routes;
        std::vector<Ranks> children(1 + random() % 5, Ranks(1 + random() % 4));
        std::vector<NodeIndex> expected;
        for (uint32_t rank = 0; rank < 60; ++rank) {
            const auto child = static_cast<NodeIndex>(random() % children.size());
            expected.push_back(child);
            children[child][random() % children[child].size()].push_back({rank, 1, 1});
        }
        for (NodeIndex child = 0; child < children.size(); ++child)
            routes.add(child, children[child]);
        const auto removed = static_cast<NodeIndex>(random() % 6);
        routes.remove(removed);
        for (uint32_t rank = 0; rank < 60; ++rank) {
            const auto child = expected[rank];
            EXPECT_EQ(routes.child_of(rank),
                      child == removed ? std::nullopt : std::optional(child));
        }
    }
}

}  // namespace
}  // namespace launch
