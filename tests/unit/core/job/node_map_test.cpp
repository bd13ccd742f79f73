// SPDX-License-Identifier: MIT
#include "core/job/node_map.hpp"

#include <gtest/gtest.h>
#include <random>

#include "core/base/codec.hpp"
#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

struct Row {
    const char* name;
    const char* hosts;
    PlacementRequest request;
};

const Row rows[] = {
    {"one", "a", {{1}}},
    {"block", "n[1-40]", {std::vector<uint32_t>(40, 4)}},
    {"cyclic", "n[1-40]", {std::vector<uint32_t>(40, 4), 160, 0, Mapping::cyclic}},
    {"uneven", "n[1-3],m[7-8]", {{1, 4, 2, 4, 1}}},
    {"uneven cyclic", "n[1-3],m[7-8]", {{1, 4, 2, 4, 1}, 12, 0, Mapping::cyclic}},
    {"hosts without a rank", "n[1-9]", {std::vector<uint32_t>(9, 2), 5}},
    {"more ranks than slots", "n[1-3]", {{1, 2, 1}, 11}},
};

TEST(NodeMap, comes_back) {
    for (const Row& row : rows) {
        SCOPED_TRACE(row.name);
        const auto hosts = parse_hosts(row.hosts);
        ASSERT_TRUE(hosts);
        const auto placement = place(row.request);
        ASSERT_TRUE(placement);
        const auto nodes = static_cast<uint32_t>(hosts->size());
        const auto map =
            decode_node_map(encode_node_map(*hosts, *placement), nodes, placement->ranks());
        ASSERT_TRUE(map);
        EXPECT_EQ(map->hosts, *hosts);
        for (size_t i = 0; i < hosts->size(); ++i) {
            const auto node = placement->node(i);
            EXPECT_EQ(map->ranks[i], std::vector<RankRun>(node.begin(), node.end())) << i;
        }
    }
}

TEST(NodeMap, is_short_where_nodes_are_alike) {
    const auto hosts = parse_hosts("n[1-10000]");
    for (const Mapping mapping : {Mapping::block, Mapping::cyclic}) {
        const auto placement = place({std::vector<uint32_t>(10000, 8), 80000, 0, mapping});
        EXPECT_LT(encode_node_map(*hosts, *placement).size(), 60U);
    }
}

TEST(NodeMap, parts_are_refused_and_changes_do_no_harm) {
    const auto hosts = parse_hosts("n[1-9],m[1-3]");
    const std::string bytes =
        encode_node_map(*hosts, *place({std::vector<uint32_t>(12, 3), 31, 0, Mapping::cyclic}));
    for (size_t size = 0; size < bytes.size(); ++size)
        EXPECT_FALSE(decode_node_map(std::string_view(bytes).substr(0, size), 12, 31)) << size;
    EXPECT_FALSE(decode_node_map(bytes + "x", 12, 31));
    std::mt19937 random(1);
    for (int i = 0; i < 20000; ++i) {
        std::string changed = bytes;
        changed[random() % changed.size()] = static_cast<char>(random());
        const auto map = decode_node_map(changed, 12, 31);
        if (map) {
            EXPECT_EQ(map->hosts.size(), map->ranks.size());
        }
    }
}

TEST(NodeMap, is_that_of_the_job_or_none) {
    const auto hosts = parse_hosts("n[1-4]");
    const std::string bytes = encode_node_map(*hosts, *place({{2, 2, 2, 2}}));
    EXPECT_TRUE(decode_node_map(bytes, 4, 8));
    EXPECT_FALSE(decode_node_map(bytes, 3, 8));
    EXPECT_FALSE(decode_node_map(bytes, 5, 8));
    EXPECT_FALSE(decode_node_map(bytes, 4, 7));
    EXPECT_FALSE(decode_node_map(bytes, 4, 9));
}

/// A job of four ranks on one node, whose ranks the map tells as these numbers.
bool takes(const std::vector<uint64_t>& runs) {
    Encoder node;
    node.number(runs.size() / 3);
    for (const uint64_t number : runs)
        node.number(number);
    return decode_node_map(Encoder{}.text("a").number(1).text(node.take()).take(), 1, 4)
        .has_value();
}

TEST(NodeMap, has_as_many_ranks_as_the_job_and_none_beyond_them) {
    EXPECT_TRUE(takes({0, 4, 1}));
    EXPECT_TRUE(takes({0, 2, 2, 1, 2, 2}));
    EXPECT_FALSE(takes({0, 4, 0})) << "no step";
    EXPECT_FALSE(takes({0, 4, 1, 3, 0, 1})) << "a run of none";
    EXPECT_FALSE(takes({1, 4, 1})) << "beyond the last";
    EXPECT_FALSE(takes({0, 2, 1})) << "fewer than there are";
    EXPECT_FALSE(takes({0, 4, 1, 0, 4, 1})) << "more than there are";
}

}  // namespace
}  // namespace launch
