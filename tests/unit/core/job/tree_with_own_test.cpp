// SPDX-License-Identifier: MIT
#include "core/job/tree_with_own.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "core/hosts/hostlist.hpp"
#include "core/hosts/this_machine.hpp"
#include "tests/unit/topologies/families.hpp"

namespace launch {
namespace {

constexpr NodeIndex most_nodes_here = 40;

using Nodes = std::vector<NodeIndex>;

Nodes children_of(const Topology& tree, NodeIndex v, NodeIndex n) {
    Nodes found;
    tree.children(v, n, found);
    return found;
}

std::unique_ptr<Topology> same_family(const std::string& name) {
    for (auto& each : every_topology())
        if (each->name() == name) return std::move(each);
    return nullptr;
}

/// All below v in preorder, as children() and parent() say; each part below the head is a tree of
/// the family, as the relay there will cut it up.
void expect_tree(const Topology& tree, const Topology& family, NodeIndex n, NodeIndex own) {
    const auto tops = children_of(tree, 0, n);
    EXPECT_NE(std::find(tops.begin(), tops.end(), own), tops.end()) << own;
    ASSERT_EQ(tops.front(), 1U);
    for (size_t i = 0; i < tops.size(); ++i) {
        const NodeIndex end = i + 1 < tops.size() ? tops[i + 1] : n;
        ASSERT_LT(tops[i], end);
        EXPECT_EQ(tree.parent(tops[i], n), 0U);
        for (NodeIndex v = tops[i]; v < end; ++v) {
            Nodes expected = children_of(family, v - tops[i], end - tops[i]);
            for (NodeIndex& child : expected)
                child += tops[i];
            EXPECT_EQ(children_of(tree, v, n), expected);
            for (const NodeIndex child : expected)
                EXPECT_EQ(tree.parent(child, n), v);
        }
    }
}

TEST(TreeWithOwn, HasTheHeadsMachineBelowTheHead) {
    for (const auto& family : every_topology())
        for (NodeIndex n = 2; n <= most_nodes_here; ++n)
            for (NodeIndex own = 1; own < n; ++own) {
                const TreeWithOwn tree(same_family(family->name()), n, {own});
                expect_tree(tree, *family, n, own);
                if (HasFailure()) FAIL() << family->name() << " node " << own << " of " << n;
            }
}

TEST(TreeWithOwn, IsTheSameWhereItWasBelowTheHeadAnyway) {
    const TreeWithOwn tree(same_family("kary:2"), 8, {1});
    const auto family = same_family("kary:2");
    for (NodeIndex v = 0; v < 8; ++v)
        EXPECT_EQ(children_of(tree, v, 8), children_of(*family, v, 8)) << v;
    EXPECT_EQ(tree.name(), "kary:2");
    // What failed is started again as parts of other sizes.
    EXPECT_EQ(children_of(tree, 0, 5), children_of(*family, 0, 5));
}

TEST(TreeWithOwn, KnowsTheNodesByTheNamesOfTheMachine) {
    const auto names = names_of_machine("head.example.org");
    EXPECT_EQ(names.front(), "head.example.org");
    const auto hosts = *parse_hosts("a,HEAD,localhost,b,ann@localhost,head.example.org");
    EXPECT_EQ(nodes_named(hosts, names), (Nodes{2, 3, 6}));
    EXPECT_EQ(nodes_named(hosts, {}), Nodes{});
    EXPECT_TRUE(is_loopback_name("LocalHost"));
    EXPECT_FALSE(is_loopback_name("local"));
}

}  // namespace
}  // namespace launch
