// SPDX-License-Identifier: MIT
// A whole tree in this process, whose nodes go over to a routing tree.

#include <algorithm>
#include <gtest/gtest.h>

#include "core/link/neighbour_channel.hpp"
#include "core/link/patience.hpp"
#include "tests/unit/core/tree/healing.hpp"
#include "topologies/registry.hpp"

namespace launch {
namespace {

TEST(Healing, each_node_comes_to_its_place_in_the_routing_tree) {
    constexpr NodeIndex hosts = 9;
    World world({hosts, "flat", milliseconds{0}, {"job"}, "binomial"});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.settle(); }));
    const auto has_word = [&](NodeIndex node) {
        const FakeModex* part = world.part(node);
        return part != nullptr && part->started_here;
    };
    const auto routing = make_topology("binomial", 0, hosts + 1, nullptr);
    for (NodeIndex node = 0; node <= hosts; ++node) {
        ASSERT_TRUE(world.until([&] { return has_word(node); })) << node;
        std::vector<NodeIndex> wanted;
        (*routing)->children(node, hosts + 1, wanted);
        auto children = world.part(node)->children;
        std::sort(children.begin(), children.end());
        EXPECT_EQ(children, wanted) << node;
    }
    for (NodeIndex node = 1; node <= hosts; ++node)
        say(world, node, (*routing)->parent(node, hosts + 1), 0);
    ASSERT_TRUE(world.until([&] {
        for (NodeIndex node = 1; node <= hosts; ++node)
            if (world.job().notices[node].empty() || world.part(node)->from_above.empty())
                return false;
        return true;
    }));
    EXPECT_TRUE(world.job().failures.empty());
    EXPECT_TRUE(world.finish());
    EXPECT_EQ(world.network.open_ends(), 0);
}

/// Node 4 tells where it takes links, and never comes to the head, which is above it there.
TEST(Healing, who_finds_no_place_in_the_routing_tree_is_given_up_by_the_head) {
    World world({4, "chain", milliseconds{0}, {"job"}, "flat"});
    std::shared_ptr<Peer> four;
    play_relay(world, 4, four);
    world.start();
    ASSERT_TRUE(world.until([&] { return four && four->count(FrameType::subtree) == 1; }));
    NeighbourChannel channel;
    const Contact contact{4, "127.0.0.1", 7, std::string(public_key_size, 'p')};
    four->send(FrameType::contacts,
               channel.keep(FrameType::contacts, ContactsMessage{{contact}}.encode()));
    four->send(FrameType::nodes_up, wrap_report({4, 1}, NodesMessage{{4}}.encode()));
    ASSERT_TRUE(world.until([&] {
        world.settle();
        return four->count(FrameType::routes) == 1;
    }));
    world.simulation.run_for(patience::go_over - milliseconds{500});
    EXPECT_FALSE(world.settle());
    world.simulation.run_for(milliseconds{500});
    ASSERT_TRUE(world.settle());
    ASSERT_EQ(world.job().failures.size(), 1U);
    EXPECT_EQ(world.job().failures[0].node, 4U);
    EXPECT_NE(world.job().failures[0].error.cause.find("found no parent"), std::string::npos);
    ASSERT_TRUE(world.until([&] { return world.part(0)->children.size() == 3; }));
    four->link->close();
    EXPECT_TRUE(world.finish());
    EXPECT_EQ(world.network.open_ends(), 0);
}

}  // namespace
}  // namespace launch
