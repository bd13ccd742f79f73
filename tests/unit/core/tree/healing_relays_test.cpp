// SPDX-License-Identifier: MIT
// A whole tree in this process, and what becomes of it when its relays die.

#include <gtest/gtest.h>

#include "core/link/patience.hpp"
#include "tests/unit/core/tree/healing.hpp"

namespace launch {
namespace {

TEST(Healing, a_leaf_that_dies_is_lost_alone) {
    World world({3});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up(); }));
    world.network.kill(*world.network.running(3));
    ASSERT_TRUE(world.until([&] { return world.job().failures.size() == 1; }));
    EXPECT_EQ(world.job().failures[0].node, 3u);
    EXPECT_TRUE(world.job().failures[0].was_up);
    EXPECT_EQ(world.job().failures[0].count_below(), 0u);
    EXPECT_EQ(world.part(2)->lost, std::vector<NodeIndex>{3});
    EXPECT_TRUE(world.finish());
}

/// Its parent's word is lost with a link on its way, and the parent dies before it can repeat it.
TEST(Healing, a_leaf_is_told_as_lost_though_who_said_so_is_lost_itself) {
    World world({4});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up(); }));
    const auto cable = world.network.between(1, 2).front();
    cable->hold(Cable::Side::b, true);
    world.network.kill(*world.network.running(4));
    ASSERT_TRUE(world.until([&] { return !world.part(2)->exits_below.empty(); }));
    world.network.kill(*world.network.running(3));
    ASSERT_TRUE(world.until([&] { return !world.part(2)->lost.empty(); }));
    cable->cut();
    ASSERT_TRUE(world.until([&] { return world.job().is_lost(3) && world.job().is_lost(4); }));
    EXPECT_EQ(world.job().failures.size(), 1U);
    EXPECT_TRUE(world.finish());
}

/// The head hears of the leaf twice and reports it once.
TEST(Healing, a_leaf_that_is_lost_before_its_parent_is_told_as_lost_once) {
    World world({4});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up(); }));
    for (const NodeIndex dies : {4U, 3U}) {
        world.network.kill(*world.network.running(dies));
        ASSERT_TRUE(world.until([&] { return world.job().is_lost(dies); }));
    }
    ASSERT_EQ(world.job().failures.size(), 2U);
    EXPECT_EQ(world.job().failures[1].node, 3U);
    EXPECT_EQ(world.job().failures[1].count_below(), 0U);
    EXPECT_TRUE(world.finish());
}

/// It waits first for those who were below that child, and the head then for those below it.
TEST(Healing, a_node_that_loses_a_child_at_the_end_and_then_its_link_is_not_cut_off) {
    World world({4, "(((())()))"});
    world.network.quality = [] { return LinkQuality{milliseconds{20}}; };
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up(); }));
    Process* const child = world.network.running(2);
    const Process& below = *world.network.running(3);
    world.network.watch = [&](Cable& cable, Cable::Side, FrameType type) {
        if (type == FrameType::bye && &cable == below.start.get())
            asio::post(world.io, [&] { world.network.kill(*child); });
        return std::optional<Break::At>();
    };
    const auto cable = world.network.between(0, 1).front();
    cable->break_at(Cable::Side::b, {Break::At::middle, FrameType::bye});
    EXPECT_TRUE(world.finish());
    EXPECT_TRUE(cable->is_broken());
    EXPECT_FALSE(child->lives());
    EXPECT_TRUE(world.stuck().empty());
}

/// Node 3 finds node 1 as its parent and leaves there; node 2, which it was below, finds the head.
TEST(Healing, a_node_that_stood_still_misses_nobody_who_has_left_elsewhere_at_the_end) {
    World world({3, "chain", milliseconds{400}});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up() && world.part(3); }));
    const auto cables = world.network.running(2)->cables;
    const auto hold = [&](bool held) {
        world.network.out_of_reach = held ? std::set<NodeIndex>{2} : std::set<NodeIndex>();
        for (const auto& [cable, side] : cables)
            cable->hold(held);
    };
    hold(true);
    ASSERT_TRUE(world.until([&] { return world.part(3)->parents == 2; }));
    world.network.watch = [&](Cable&, Cable::Side, FrameType type) {
        if (type == FrameType::bye) asio::post(world.io, [&hold] { hold(false); });
        return std::optional<Break::At>();
    };
    EXPECT_TRUE(world.finish());
    EXPECT_TRUE(world.job().failures.empty());
}

TEST(Healing, a_node_whose_parent_dies_goes_on_below_its_grandparent) {
    constexpr int words = 10;
    World world({4});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up() && world.part(4); }));
    for (int i = 0; i < words; ++i)
        for (const NodeIndex node : {3U, 4U})
            world.part(node)->host.modex_notice(numbered("report", i));
    world.network.kill(*world.network.running(2));
    ASSERT_TRUE(
        world.until([&] { return world.part(3)->parents == 2 && !world.job().failures.empty(); }));
    EXPECT_EQ(world.part(1)->children, std::vector<NodeIndex>{3});
    EXPECT_EQ(world.part(4)->parents, 1);
    say(world, 3, 1, 0);
    say(world, 4, 3, 0);
    ASSERT_TRUE(world.until([&] {
        return !world.part(1)->from_below[3].empty() && !world.part(3)->from_above.empty() &&
               world.job().notices[4].size() > words && world.job().notices[3].size() > words;
    }));
    auto all = all_numbered("report", words);
    all.push_back(numbered("report", 0));
    EXPECT_EQ(world.job().notices[3], all);
    EXPECT_EQ(world.job().notices[4], all);
    EXPECT_EQ(world.job().failures.size(), 1u);
    EXPECT_EQ(world.job().failures[0].node, 2u);
    EXPECT_EQ(world.job().failures[0].count_below(), 0u);
    EXPECT_TRUE(world.finish());
    EXPECT_EQ(world.network.open_ends(), 0);
}

/// It calls one ancestor after the other, and each call is waited for.
TEST(Healing, who_reaches_nobody_ends_before_it_is_given_up) {
    World world({6});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up() && world.part(6); }));
    const Process& last = *world.network.running(6);
    world.network.out_of_reach = {6};
    const auto begin = Clock::now();
    world.network.kill(*world.network.running(5));
    ASSERT_TRUE(world.until([&] { return !last.lives(); }));
    EXPECT_LT(Clock::now() - begin, patience::come_back);
    ASSERT_TRUE(world.until([&] { return world.job().is_lost(5) && world.job().is_lost(6); }));
    EXPECT_TRUE(world.finish());
}

/// Node 2 has been told its part of the tree, and nothing else yet.
TEST(Healing, a_job_that_a_node_has_not_heard_of_is_told_by_who_adopts_it) {
    World world({3});
    Cable* cable = nullptr;
    world.network.laid = [&](NodeIndex node, Cable& its) {
        if (node != 2 || cable != nullptr) return;
        cable = &its;
        its.break_at(Cable::Side::a, {Break::At::end, FrameType::subtree});
    };
    world.start();
    ASSERT_TRUE(world.until([&] { return cable != nullptr && cable->is_broken(); }));
    world.network.kill(*world.network.running(1));
    ASSERT_TRUE(world.until([&] { return world.all_up() && world.job().up.size() == 3; }));
    EXPECT_EQ(world.part(0)->children, std::vector<NodeIndex>{2});
    ASSERT_TRUE(world.part(2) && world.part(3));
    world.part(3)->host.modex_notice("here");
    world.part(0)->host.modex_down(2, "hear");
    ASSERT_TRUE(world.until(
        [&] { return !world.job().notices[3].empty() && !world.part(2)->from_above.empty(); }));
    EXPECT_EQ(world.job().failures.size(), 1u);
    EXPECT_EQ(world.job().failures[0].node, 1u);
    EXPECT_TRUE(world.finish());
}

/// A relay that the test has started, with the block that begins there and these above it.
std::shared_ptr<Peer> start_below(World& world, NodeIndex node, NodeIndex size,
                                  std::vector<Contact> ancestors) {
    Network& network = world.network;
    TreeMessage tree;
    tree.id = "tree";
    tree.nodes = world.head().hosts().count();
    tree.topology = "chain";
    tree.transport.name = "local";
    tree.policies.liveness = milliseconds{0};
    tree.policies.push = PushChoice::never;
    tree.with_job = false;
    auto above = Peer::make(network.executor, network.tasks, network.start_relay(node, nullptr));
    above->greet(own_build_id());
    const NodeKey key{"key", {{0, tree.nodes + 1}, {1, tree.nodes}}};
    SubtreeMessage part{tree.encode(), node, {}, std::move(ancestors), 0, key, 1u << 20};
    for (NodeIndex i = 0; i < size; ++i)
        part.hosts.push_back({"", Network::name_of(node + i), 0, 1});
    above->send(FrameType::subtree, part.encode());
    return above;
}

/// Node 1 is the test. It tells of the loss of node 2 when that has come to the head already.
TEST(Healing, one_that_was_given_up_by_the_parent_it_had_is_lost_where_it_has_come_to) {
    World world({2});
    std::shared_ptr<Peer> one;
    play_relay(world, 1, one);
    world.start();
    ASSERT_TRUE(world.until([&] { return one && one->count(FrameType::subtree) == 1; }));
    const auto part = SubtreeMessage::decode(one->all(FrameType::subtree)[0]);
    Contact head = part->ancestors.at(0);
    head.address = "127.0.0.1";
    const auto above_two = start_below(world, 2, 1, {{1, "127.0.0.1", 0}, head});
    ASSERT_TRUE(world.until([&] { return above_two->count(FrameType::nodes_up) == 1; }));
    above_two->link->close();
    ASSERT_TRUE(world.until([&] { return world.part(0)->children.back() == 2; }));
    FailureMessage failure;
    failure.node = 2;
    failure.was_up = true;
    one->send(FrameType::failure, wrap_report({1, 1}, failure.encode()));
    ASSERT_TRUE(world.until([&] { return world.network.running(2) == nullptr; }));
    EXPECT_EQ(world.part(0)->lost, std::vector<NodeIndex>{2});
    EXPECT_EQ(world.part(0)->children, std::vector<NodeIndex>{1});
    EXPECT_EQ(world.job().failures.size(), 1u);
    one->link->send_now(FrameType::bye, {});
    one->link->close();
    EXPECT_TRUE(world.finish());
}

}  // namespace
}  // namespace launch
