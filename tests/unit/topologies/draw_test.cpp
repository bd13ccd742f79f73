// SPDX-License-Identifier: MIT
#include "topologies/draw.hpp"

#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>

#include "tests/unit/golden.hpp"
#include "tests/unit/topologies/families.hpp"

namespace launch {
namespace {

std::string host(NodeIndex first, NodeIndex last) {
    char text[64];
    if (first == last) {
        std::snprintf(text, sizeof text, "node%03u", first);
    } else {
        std::snprintf(text, sizeof text, "node[%03u-%03u]", first, last);
    }
    return first == 0 ? "head" : text;
}

std::string drawn(const Topology& topology, NodeIndex n, const DrawOptions& options = {}) {
    return std::string("\n").append(draw_tree(topology, n, options, host));
}

TEST(Draw, TheUsualRun) {
    expect_golden("kary(32), 901", drawn(*make_kary(32), 901));
}

TEST(Draw, AMillionHosts) {
    expect_golden("kary(32), 1000001", drawn(*make_kary(32), 1'000'001));
}

TEST(Draw, SmallTreesInFull) {
    expect_golden("kary(3), 9", drawn(*make_kary(3), 9));
    EXPECT_EQ(drawn(*make_flat(), 1), "\nhead\n");
}

TEST(Draw, FlatIsOneLine) {
    expect_golden("flat(), 901", drawn(*make_flat(), 901));
}

TEST(Draw, ChainIsOneLine) {
    expect_golden("chain(), 901", drawn(*make_chain(), 901));
}

TEST(Draw, BinomialShowsEachShapeOnce) {
    expect_golden("binomial(), 41", drawn(*make_binomial(), 41));
}

TEST(Draw, CutsAtTheDepthThatFits) {
    DrawOptions options;
    options.max_lines = 8;
    expect_golden("kary(3), 1000, options", drawn(*make_kary(3), 1'000, options));
}

TEST(Draw, InAsciiAndInFull) {
    DrawOptions options;
    options.ascii = true;
    options.full = true;
    expect_golden("kary(3), 14, options", drawn(*make_kary(3), 14, options));
}

TEST(Draw, DeepChainsInFullStopIndenting) {
    DrawOptions options;
    options.full = true;
    const std::string text = drawn(*make_chain(), 40, options);
    EXPECT_TRUE(text.ends_with("└── (depth 39) node039\n")) << text;
}

size_t lines(const std::string& text) {
    return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(Draw, FullHasALineForEveryNode) {
    DrawOptions options;
    options.full = true;
    for (const auto& topology : every_topology()) {
        for (NodeIndex n = 1; n <= 200; ++n) {
            EXPECT_EQ(lines(draw_tree(*topology, n, options, host)), n) << topology->name();
        }
    }
}

/// Every node is named once, and the drawing is short.
void check_covers(const Topology& topology, NodeIndex n) {
    NodeIndex next = 0;
    const auto label = [&](NodeIndex first, NodeIndex last) {
        EXPECT_EQ(first, next) << topology.name() << " " << n;
        EXPECT_LE(first, last) << topology.name() << " " << n;
        next = last + 1;
        return std::string("x");
    };
    const std::string text = draw_tree(topology, n, {}, label);
    EXPECT_EQ(next, n) << topology.name();
    EXPECT_LE(lines(text), DrawOptions{}.max_lines) << topology.name() << " " << n << "\n" << text;
}

TEST(Draw, FoldedNamesEveryNodeOnceInFewLines) {
    for (const auto& topology : every_topology()) {
        for (NodeIndex n = 1; n <= 300; ++n)
            check_covers(*topology, n);
        for (const NodeIndex n : {901U, 4'095U, 65'537U, 1'000'001U, 1'048'575U}) {
            check_covers(*topology, n);
        }
    }
}

}  // namespace
}  // namespace launch
