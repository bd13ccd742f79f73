#include "topologies/draw.hpp"

#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>

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
    EXPECT_EQ(drawn(*make_kary(32), 901), R"(
head
├── node001
│   └── 28 leaves: node[002-029]
├── 3 more alike: node[030-116]
└── 28 subtrees of 28 nodes: node[117-900]
)");
}

TEST(Draw, AMillionHosts) {
    EXPECT_EQ(drawn(*make_kary(32), 1'000'001), R"(
head
├── node001
│   ├── node002
│   │   ├── node003
│   │   │   └── 30 leaves: node[004-033]
│   │   ├── 15 more alike: node[034-498]
│   │   └── 16 subtrees of 30 nodes: node[499-978]
│   ├── 16 more alike: node[979-16610]
│   └── 15 subtrees of 976 nodes: node[16611-31250]
└── 31 more alike: node[31251-1000000]
)");
}

TEST(Draw, SmallTreesInFull) {
    EXPECT_EQ(drawn(*make_kary(3), 9), R"(
head
├── node001
│   ├── node002
│   └── node003
├── node004
│   ├── node005
│   └── node006
└── node007
    └── node008
)");
    EXPECT_EQ(drawn(*make_flat(), 1), "\nhead\n");
}

TEST(Draw, FlatIsOneLine) {
    EXPECT_EQ(drawn(*make_flat(), 901), R"(
head
└── 900 leaves: node[001-900]
)");
}

TEST(Draw, ChainIsOneLine) {
    EXPECT_EQ(drawn(*make_chain(), 901), R"(
head
└── 1 chain of 900 nodes: node[001-900]
)");
}

TEST(Draw, BinomialShowsEachShapeOnce) {
    EXPECT_EQ(drawn(*make_binomial(), 41), R"(
head
├── node001
├── node002
│   └── node003
├── node004
│   └── 2 subtrees of 1 and 2 nodes, as above: node[005-007]
├── node008
│   └── 3 subtrees of 1, 2 and 4 nodes, as above: node[009-015]
├── node016
│   └── 4 subtrees of 1, 2 ... 8 nodes, as above: node[017-031]
└── node032
    ├── 3 subtrees of 1, 2 and 4 nodes, as above: node[033-039]
    └── node040
)");
}

TEST(Draw, CutsAtTheDepthThatFits) {
    DrawOptions options;
    options.max_lines = 8;
    EXPECT_EQ(drawn(*make_kary(3), 1'000, options), R"(
head
├── node001
│   ├── node002
│   │   ├── 2 subtrees of 37 nodes: node[003-076]
│   │   └── 1 subtree of 36 nodes: node[077-112]
│   ├── 1 more alike: node[113-223]
│   └── 1 subtree of 110 nodes: node[224-333]
└── 2 more alike: node[334-999]
)");
}

TEST(Draw, InAsciiAndInFull) {
    DrawOptions options;
    options.ascii = true;
    options.full = true;
    EXPECT_EQ(drawn(*make_kary(3), 14, options), R"(
head
|-- node001
|   |-- node002
|   |   `-- node003
|   |-- node004
|   `-- node005
|-- node006
|   |-- node007
|   |-- node008
|   `-- node009
`-- node010
    |-- node011
    |-- node012
    `-- node013
)");
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
