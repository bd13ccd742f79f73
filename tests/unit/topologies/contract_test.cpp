// SPDX-License-Identifier: MIT
// The contract of core/topology.hpp, for every topology and every small n, and for large ones.

#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <string>

#include "tests/unit/topologies/families.hpp"

namespace launch {
namespace {

constexpr NodeIndex exhaustive = 200;

std::string at(const Topology& topology, NodeIndex v, NodeIndex n) {
    return topology.name() + " node " + std::to_string(v) + " of " + std::to_string(n);
}

/// The whole tree, from children() alone.
struct Tree {
    std::vector<NodeIndex> parent, depth, degree, block;
};

Tree build(const Topology& topology, NodeIndex n) {
    Tree tree{std::vector<NodeIndex>(n), std::vector<NodeIndex>(n), std::vector<NodeIndex>(n),
              std::vector<NodeIndex>(n, 1)};
    std::vector<NodeIndex> children;
    for (NodeIndex v = 0; v < n; ++v) {
        topology.children(v, n, children);
        tree.degree[v] = static_cast<NodeIndex>(children.size());
        for (const NodeIndex child : children) {
            tree.parent[child] = v;
            tree.depth[child] = tree.depth[v] + 1;
        }
    }
    for (NodeIndex v = n; v-- > 1;)
        tree.block[tree.parent[v]] += tree.block[v];
    return tree;
}

/// One parent each, all reachable, parent() agrees, blocks contiguous and in preorder. Stops at
/// the first node that is wrong: a million messages help nobody.
void check_tree(const Topology& topology, NodeIndex n) {
    const Tree tree = build(topology, n);
    std::vector<NodeIndex> children;
    uint64_t edges = 0;
    for (NodeIndex v = 0; v < n; ++v) {
        topology.children(v, n, children);
        NodeIndex next = v + 1;  // where the next child's block must start
        for (const NodeIndex child : children) {
            ASSERT_LT(child, n) << at(topology, v, n);
            ASSERT_EQ(child, next) << at(topology, v, n);
            ASSERT_EQ(topology.parent(child, n), v) << at(topology, child, n);
            next += tree.block[child];
        }
        ASSERT_EQ(next, v + tree.block[v]) << at(topology, v, n);
        edges += children.size();
    }
    ASSERT_EQ(edges, n - 1) << topology.name();
    ASSERT_EQ(tree.block[0], n) << topology.name();
}

/// The children of v, counted from v, are those of the root of a tree as large as v's block.
void check_self_similar(const Topology& topology, NodeIndex n, NodeIndex step) {
    const Tree tree = build(topology, n);
    std::vector<NodeIndex> here, alone;
    for (NodeIndex v = 0; v < n; v += step) {
        topology.children(v, n, here);
        for (NodeIndex& child : here)
            child -= v;
        topology.children(0, tree.block[v], alone);
        ASSERT_EQ(here, alone) << at(topology, v, n);
    }
}

TEST(TopologyContract, EveryNodeHasOneParentAndBlocksAreContiguous) {
    for (const auto& topology : every_topology()) {
        for (NodeIndex n = 1; n <= exhaustive; ++n)
            ASSERT_NO_FATAL_FAILURE(check_tree(*topology, n));
    }
}

TEST(TopologyContract, SubtreesAreTreesOfTheirSize) {
    for (const auto& topology : every_topology()) {
        for (NodeIndex n = 1; n <= exhaustive; ++n) {
            ASSERT_NO_FATAL_FAILURE(check_self_similar(*topology, n, 1));
        }
    }
}

TEST(TopologyContract, HoldsForLargeTrees) {
    for (const auto& topology : every_topology()) {
        for (const NodeIndex n : {901U, 65'537U, 1'000'000U}) {
            ASSERT_NO_FATAL_FAILURE(check_tree(*topology, n));
            ASSERT_NO_FATAL_FAILURE(check_self_similar(*topology, n, n / 900));
        }
    }
}

TEST(TopologyContract, HoldsAtTheEndOfTheIndexRange) {
    constexpr NodeIndex n = 4'294'967'295U;
    std::vector<NodeIndex> children;
    for (const auto& topology : every_topology()) {
        if (topology->name() == "flat" || topology->name() == "kary:4000000000") continue;
        for (NodeIndex v = n - 1; v != 0; v = v == n - 1 ? n / 2 : v / 1000) {
            const NodeIndex parent = topology->parent(v, n);
            ASSERT_LT(parent, v) << at(*topology, v, n);
            topology->children(parent, n, children);
            ASSERT_TRUE(std::binary_search(children.begin(), children.end(), v))
                << at(*topology, v, n);
        }
    }
}

TEST(TopologyContract, ChildrenReplacesWhatWasThere) {
    for (const auto& topology : every_topology()) {
        std::vector<NodeIndex> children{7, 7, 7};
        topology->children(0, 1, children);
        EXPECT_TRUE(children.empty()) << topology->name();
    }
}

/// The least depth at which a tree of this degree has room for n nodes.
NodeIndex least_depth(uint32_t degree, NodeIndex n) {
    NodeIndex depth = 0;
    for (uint64_t capacity = 1; capacity < n; capacity = capacity * degree + 1)
        ++depth;
    return depth;
}

NodeIndex largest(const std::vector<NodeIndex>& values) {
    return *std::max_element(values.begin(), values.end());
}

void check_kary_bounds(uint32_t degree, NodeIndex n) {
    const Tree tree = build(*make_kary(degree), n);
    EXPECT_EQ(largest(tree.depth), least_depth(degree, n)) << degree << " of " << n;
    EXPECT_EQ(largest(tree.degree), std::min(degree, n - 1)) << degree << " of " << n;
}

TEST(Kary, HasTheLeastDepthOfItsDegree) {
    for (const uint32_t degree : {1U, 2U, 3U, 4U, 7U, 16U, 32U, 199U, 500U}) {
        for (NodeIndex n = 1; n <= exhaustive; ++n)
            check_kary_bounds(degree, n);
    }
    for (const uint32_t degree : {2U, 3U, 10U, 32U, 1000U}) {
        for (const NodeIndex n : {901U, 99'999U, 1'000'000U})
            check_kary_bounds(degree, n);
    }
}

TEST(Kary, SplitsEvenly) {
    std::vector<NodeIndex> children;
    make_kary(32)->children(0, 901, children);  // 900 = 4 * 29 + 28 * 28
    ASSERT_EQ(children.size(), 32U);
    EXPECT_EQ(children[1], 1U + 29);
    EXPECT_EQ(children[4], 1U + 4 * 29);
    EXPECT_EQ(children[31], 901U - 28);
}

TEST(Binomial, DegreeAndDepthAreAtMostTheLogarithm) {
    const auto topology = make_binomial();
    for (NodeIndex n = 1; n <= 1025; ++n) {
        const Tree tree = build(*topology, n);
        const auto logarithm = static_cast<NodeIndex>(std::bit_width(n - 1));  // ceil(log2 n)
        EXPECT_EQ(largest(tree.degree), logarithm) << n;
        EXPECT_LE(largest(tree.depth), logarithm) << n;
    }
}

TEST(FlatAndChain, AreTheTwoExtremes) {
    for (NodeIndex n = 2; n <= exhaustive; ++n) {
        const Tree flat = build(*make_flat(), n);
        EXPECT_EQ(largest(flat.depth), 1U);
        EXPECT_EQ(largest(flat.degree), n - 1);
        const Tree chain = build(*make_chain(), n);
        EXPECT_EQ(largest(chain.depth), n - 1);
        EXPECT_EQ(largest(chain.degree), 1U);
    }
}

TEST(Kary, OfDegreeOneIsTheChain) {
    EXPECT_EQ(make_kary(1)->name(), "chain");
    EXPECT_EQ(make_kary(8)->name(), "kary:8");
}

}  // namespace
}  // namespace launch
