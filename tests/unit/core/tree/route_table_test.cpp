// SPDX-License-Identifier: MIT
#include "core/tree/route_table.hpp"

#include <gtest/gtest.h>

#include "tests/unit/topologies/families.hpp"

namespace launch {
namespace {

RoutesMessage routes_of(const std::vector<NodeIndex>& nodes) {
    RoutesMessage routes;
    for (const NodeIndex node : nodes)
        routes.stops.push_back({{node, "10.0.0.1", 9}, "n" + std::to_string(node)});
    return routes;
}

std::vector<NodeIndex> up_to(NodeIndex last, NodeIndex without = 0) {
    std::vector<NodeIndex> nodes;
    for (NodeIndex node = 0; node <= last; ++node)
        if (without == 0 || node == 0 || node % without != 0) nodes.push_back(node);
    return nodes;
}

TEST(RouteTable, every_node_finds_itself_below_its_parent_and_all_of_its_subtree) {
    for (const auto& topology : every_topology()) {
        for (const NodeIndex without : {0U, 3U}) {
            const auto nodes = up_to(40, without);
            std::map<NodeIndex, RouteTable> tables;
            for (const NodeIndex node : nodes) {
                auto table = RouteTable::make(*topology, node, 41, routes_of(nodes));
                ASSERT_TRUE(table) << topology->name();
                tables.emplace(node, std::move(*table));
            }
            for (const NodeIndex node : nodes) {
                const RouteTable& table = tables.at(node);
                EXPECT_EQ(table.block().first, node);
                if (node > 0) {
                    const NodeIndex parent = table.ancestors().front().node;
                    EXPECT_LT(parent, node);
                    EXPECT_EQ(table.ancestors().back().node, 0U);
                    const RouteTable& above = tables.at(parent);
                    EXPECT_TRUE(above.is_child(node));
                    EXPECT_EQ(above.ancestors().size() + 1, table.ancestors().size());
                    const auto at = std::find_if(above.children().begin(), above.children().end(),
                                                 [&](const Block& b) { return b.first == node; });
                    ASSERT_NE(at, above.children().end());
                    EXPECT_EQ(at->size(), table.block().size()) << topology->name() << node;
                    EXPECT_TRUE(above.block().contains(node, at->size()));
                    EXPECT_EQ(at->hosts.front().name, "n" + std::to_string(node));
                }
                // Any node knows what is below this one, as it knows itself.
                const auto seen = tables.at(nodes.back()).block_below(*topology, node);
                ASSERT_TRUE(seen);
                EXPECT_EQ(seen->range(), table.block().range()) << topology->name() << node;
                // The children's blocks are all that is below, each node once.
                NodeIndex next = node + 1;
                for (const Block& child : table.children()) {
                    EXPECT_GE(child.first, next);
                    next = child.first + child.size();
                }
                for (; next < node + table.block().size(); ++next)
                    EXPECT_FALSE(table.position_of(next)) << topology->name() << node;
            }
        }
    }
}

TEST(RouteTable, tells_who_does_not_run) {
    const auto topology = make_chain();
    const auto table = RouteTable::make(*topology, 1, 9, routes_of({0, 1, 4, 5, 8}));
    ASSERT_TRUE(table);
    EXPECT_EQ(table->size(), 5U);
    EXPECT_EQ(table->own_position(), RoutePosition{1});
    EXPECT_EQ(table->position_of(5), RoutePosition{3});
    EXPECT_EQ(table->position_of(6), std::nullopt);
    ASSERT_EQ(table->children().size(), 1U);
    EXPECT_EQ(table->children()[0].first, 4U);
    EXPECT_EQ(table->children()[0].size(), 5U);
    EXPECT_EQ(table->absent(table->children()[0].range()), (std::vector<NodeIndex>{6, 7}));
    EXPECT_FALSE(table->block_below(*topology, 6));
}

TEST(RouteTable, what_makes_no_tree_is_refused) {
    const auto topology = make_flat();
    EXPECT_FALSE(RouteTable::make(*topology, 0, 3, {}));
    EXPECT_FALSE(RouteTable::make(*topology, 1, 4, routes_of({1, 2})));
    EXPECT_FALSE(RouteTable::make(*topology, 1, 4, routes_of({0, 2, 1})));
    EXPECT_FALSE(RouteTable::make(*topology, 1, 4, routes_of({0, 1, 1})));
    EXPECT_FALSE(RouteTable::make(*topology, 3, 4, routes_of({0, 1, 2})));
    // Nodes that the job does not have: a few bytes would make four billion of them.
    EXPECT_FALSE(RouteTable::make(*topology, 0, 4, routes_of({0, 1, 4})));
    EXPECT_FALSE(RouteTable::make(*topology, 0, 4, routes_of({0, UINT32_MAX})));
}

}  // namespace
}  // namespace launch
