// SPDX-License-Identifier: MIT
#include "topologies/shape.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

#include "tests/unit/topologies/families.hpp"

namespace launch {
namespace {

/// The same, node by node.
Shape visit(const Topology& topology, NodeIndex n) {
    Shape shape;
    std::map<uint32_t, uint64_t> degrees;
    std::vector<uint32_t> depth(n);
    std::vector<NodeIndex> children;
    for (NodeIndex v = 0; v < n; ++v) {
        topology.children(v, n, children);
        const auto degree = static_cast<uint32_t>(children.size());
        for (const NodeIndex child : children)
            depth[child] = depth[v] + 1;
        shape.nodes_per_depth.resize(std::max<size_t>(shape.nodes_per_depth.size(), depth[v] + 1));
        ++shape.nodes_per_depth[depth[v]];
        ++degrees[degree];
        shape.edges += degree;
        shape.max_degree = std::max(shape.max_degree, degree);
        shape.depth = std::max(shape.depth, depth[v]);
    }
    shape.degree_histogram.assign(degrees.begin(), degrees.end());
    return shape;
}

TEST(Shape, EqualsAVisitOfEveryNode) {
    for (const auto& topology : every_topology()) {
        for (NodeIndex n = 1; n <= 200; ++n) {
            EXPECT_EQ(shape_of(*topology, n), visit(*topology, n)) << topology->name() << " " << n;
        }
        EXPECT_EQ(shape_of(*topology, 100'000), visit(*topology, 100'000)) << topology->name();
    }
}

TEST(Shape, OfTheUsualRun) {
    const Shape shape = shape_of(*make_kary(32), 901);
    EXPECT_EQ(shape.depth, 2U);
    EXPECT_EQ(shape.max_degree, 32U);
    EXPECT_EQ(shape.edges, 900U);
    EXPECT_EQ(shape.nodes_per_depth, (std::vector<uint64_t>{1, 32, 868}));
    const std::vector<std::pair<uint32_t, uint64_t>> histogram{
        {0, 868}, {27, 28}, {28, 4}, {32, 1}};
    EXPECT_EQ(shape.degree_histogram, histogram);
}

TEST(Shape, OfAMillionNodes) {
    EXPECT_EQ(shape_of(*make_kary(32), 1'000'001).depth, 4U);
    EXPECT_EQ(shape_of(*make_flat(), 1'000'001).max_degree, 1'000'000U);
    EXPECT_EQ(shape_of(*make_chain(), 1'000'001).depth, 1'000'000U);
    EXPECT_EQ(shape_of(*make_binomial(), 1'000'001).max_degree, 20U);
}

}  // namespace
}  // namespace launch
