// SPDX-License-Identifier: MIT
// A whole tree in this process, which hosts join and leave while a job is on it.

#include <algorithm>
#include <gtest/gtest.h>

#include "tests/unit/core/harness/world.hpp"
#include "topologies/registry.hpp"

namespace launch {
namespace {

void spawn(World& world, awaitable<void> what) {
    asio::co_spawn(world.io, std::move(what), [](std::exception_ptr failure) {
        if (failure) std::rethrow_exception(failure);
    });
}

/// Until it is complete. The coroutine's parameters outlive it.
awaitable<void> complete(World& world, HeadTree::Growth& growth, bool& done) {
    co_await world.head().complete(growth);
    done = true;
}

awaitable<void> remove(World& world, std::vector<NodeIndex> nodes, bool now, bool& done) {
    co_await world.head().remove(std::move(nodes), now);
    done = true;
}

HeadTree::Growth grow(World& world, const std::vector<NodeIndex>& numbers) {
    auto growth = world.head().grow(Network::hosts(numbers));
    bool done = false;
    spawn(world, complete(world, growth, done));
    EXPECT_TRUE(world.until([&] { return done; }));
    return growth;
}

void take_out(World& world, std::vector<NodeIndex> nodes, bool now = false) {
    bool done = false;
    spawn(world, remove(world, std::move(nodes), now, done));
    EXPECT_TRUE(world.until([&] { return done; }));
}

bool is_parent(World& world, NodeIndex parent, NodeIndex child) {
    const FakeModex* part = world.part(parent);
    if (part == nullptr) return false;
    return std::find(part->children.begin(), part->children.end(), child) != part->children.end();
}

TEST(GrowingTree, has_new_nodes_below_those_that_have_room) {
    for (const std::string topology : {"chain", "flat", "kary:2", "binomial"}) {
        World world({4, topology, milliseconds{4000}});
        world.start();
        ASSERT_TRUE(world.until([&] { return world.all_up(); })) << topology;
        const auto growth = grow(world, {5, 6, 7, 8, 9, 10});
        EXPECT_EQ(growth.nodes[0], 5U);
        EXPECT_TRUE(growth.failures.empty()) << topology;
        for (NodeIndex node = 5; node <= 10; ++node)
            EXPECT_TRUE(world.head().hosts().is_up(node)) << topology << " " << node;
        ASSERT_TRUE(world.until([&] { return world.part(10) && world.part(5); })) << topology;
        for (NodeIndex node = 0; topology == "kary:2" && node <= 10; ++node)
            EXPECT_LE(world.part(node)->children.size(), 2U) << node;
        EXPECT_TRUE(world.finish()) << topology;
        EXPECT_EQ(world.network.open_ends(), 0) << topology;
        EXPECT_TRUE(world.job().failures.empty()) << topology;
    }
}

/// A new node is told where ranks are before it has started the others, which need none to start.
TEST(GrowingTree, starts_new_nodes_below_new_ones_where_ranks_were_placed_late) {
    WorldSettings settings{2, "chain", milliseconds{4000}};
    settings.late = true;
    World world(settings);
    world.start();
    ASSERT_TRUE(world.until([&] { return world.settle(); }));
    EXPECT_TRUE(grow(world, {3, 4, 5}).failures.empty());
    ASSERT_TRUE(world.until([&] { return is_parent(world, 3, 4) && is_parent(world, 4, 5); }));
    EXPECT_TRUE(world.finish());
    EXPECT_EQ(world.network.open_ends(), 0);
}

/// A node of the routing tree has never come to the head, and those below it have come without it.
TEST(GrowingTree, starts_no_node_again_that_has_gone_past_a_lost_one_in_the_routing_tree) {
    World world({6, "chain", milliseconds{400}, {"job"}, "kary:2"});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up(); }));
    const auto routing = make_topology("kary:2", 0, 7, nullptr);
    std::vector<NodeIndex> below_head;
    (*routing)->children(0, 7, below_head);
    const NodeIndex lost = below_head.back();
    ASSERT_EQ((*routing)->parent(lost + 1, 7), lost);
    world.network.kill(*world.network.running(lost));
    ASSERT_TRUE(world.until([&] { return world.settle(); }));
    EXPECT_TRUE(grow(world, {7}).failures.empty());
    for (NodeIndex node = 1; node <= 7; ++node) {
        if (node == lost) continue;
        ASSERT_NE(world.network.running(node), nullptr) << node;
        EXPECT_EQ(world.network.running(node)->number, 1) << node;
    }
    EXPECT_TRUE(world.finish());
    EXPECT_EQ(world.network.open_ends(), 0);
}

TEST(GrowingTree, hears_of_jobs_that_begin_later) {
    World world({3});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up(); }));
    grow(world, {4, 5});
    world.begin("late");
    ASSERT_TRUE(world.until([&] { return world.part(5, "late") != nullptr; }));
    world.part(5, "late")->host.modex_notice("from a new node");
    EXPECT_TRUE(world.until([&] { return !world.job("late").notices[5].empty(); }));
    EXPECT_TRUE(world.finish());
}

TEST(GrowingTree, heals_where_new_nodes_are_and_where_they_die) {
    World world({3, "chain", milliseconds{4000}});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up(); }));
    grow(world, {4});
    grow(world, {5});
    ASSERT_TRUE(world.until([&] { return is_parent(world, 4, 5) && is_parent(world, 3, 4); }));
    world.network.kill(*world.network.running(3));  // a node of the start, with new ones below
    ASSERT_TRUE(world.until([&] { return world.job().is_lost(3) && is_parent(world, 2, 4); }));
    world.network.kill(*world.network.running(4));
    ASSERT_TRUE(world.until([&] { return world.job().is_lost(4) && is_parent(world, 2, 5); }));
    EXPECT_FALSE(world.job().is_lost(5));
    world.network.kill(*world.network.running(1));  // what is two steps above
    ASSERT_TRUE(world.until([&] { return world.job().is_lost(1) && is_parent(world, 0, 2); }));
    world.part(5)->host.modex_notice("still here");
    EXPECT_TRUE(world.until([&] { return !world.job().notices[5].empty(); }));
    EXPECT_FALSE(world.job().is_lost(5));
    EXPECT_TRUE(world.finish());
    EXPECT_EQ(world.network.open_ends(), 0);
}

/// Nodes that joined are not in the routing tree, and go to nodes of it that did not start them.
TEST(GrowingTree, heals_where_there_is_a_routing_tree) {
    for (const std::string routing : {"chain", "binomial"}) {
        WorldSettings settings{4, "flat", milliseconds{4000}};
        settings.routing = routing;
        World world(settings);
        world.start();
        ASSERT_TRUE(world.until([&] { return world.settle(); })) << routing;
        const auto growth = grow(world, {5, 6, 7});
        EXPECT_TRUE(growth.failures.empty()) << routing;
        ASSERT_TRUE(world.until([&] { return world.part(5) && world.part(6) && world.part(7); }));
        for (const NodeIndex dead : {4U, 3U, 5U}) {
            world.network.kill(*world.network.running(dead));
            ASSERT_TRUE(world.until([&] { return world.job().is_lost(dead); })) << dead;
        }
        for (const NodeIndex node : {1U, 2U, 6U, 7U}) {
            ASSERT_NE(world.part(node), nullptr) << routing << " " << node;
            world.part(node)->host.modex_notice("still here");
            EXPECT_TRUE(world.until([&] { return !world.job().notices[node].empty(); }))
                << routing << " " << node;
            EXPECT_FALSE(world.job().is_lost(node)) << routing << " " << node;
        }
        EXPECT_TRUE(grow(world, {8, 9}).failures.empty()) << routing;
        EXPECT_TRUE(world.finish()) << routing;
        EXPECT_EQ(world.network.open_ends(), 0) << routing;
    }
}

/// A chain of hosts that joined, 3 to 7. Node 7 has lost its parent and has come to node 4, when
/// that parent comes to node 3, which believes that it brings node 7 and hears that it does not.
TEST(GrowingTree, a_node_that_joined_hears_of_others_that_are_elsewhere_than_it_thought) {
    WorldSettings settings{2, "chain", milliseconds{4000}};
    settings.routing = "chain";
    World world(settings);
    world.start();
    ASSERT_TRUE(world.until([&] { return world.settle(); }));
    for (NodeIndex node = 3; node <= 7; ++node) {
        ASSERT_TRUE(grow(world, {node}).failures.empty());
        ASSERT_TRUE(world.until([&] { return is_parent(world, node - 1, node); })) << node;
    }
    const auto hide = [&](NodeIndex node) {
        world.network.ports.erase(world.network.port_of(node));  // who calls it is told so at once
    };
    const auto to_the_lost = world.network.between(5, 6);
    for (const auto& cable : to_the_lost)
        cable->hold(true);  // it does not hear that its child has gone
    hide(5);
    hide(6);
    for (const auto& cable : world.network.between(6, 7))
        cable->cut();
    ASSERT_TRUE(world.until([&] { return is_parent(world, 4, 7); }));
    hide(4);
    for (const auto& cable : to_the_lost)
        cable->cut();
    ASSERT_TRUE(world.until([&] { return is_parent(world, 3, 6); }));
    for (const NodeIndex node : {3U, 6U, 7U}) {
        world.part(node)->host.modex_notice("still here");
        EXPECT_TRUE(world.until([&] { return !world.job().notices[node].empty(); })) << node;
    }
    EXPECT_TRUE(is_parent(world, 4, 7));
    world.network.kill(*world.network.running(6));
    ASSERT_TRUE(world.until([&] { return world.job().is_lost(6); }));
    EXPECT_FALSE(world.job().is_lost(7));
    EXPECT_TRUE(world.finish());
    EXPECT_EQ(world.network.open_ends(), 0);
}

/// Its old parent takes it for one whose subtree is not empty yet.
TEST(GrowingTree, starts_another_way_whom_a_node_had_not_heard_of_when_it_found_another_parent) {
    World world({3, "chain", milliseconds{4000}});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up() && is_parent(world, 2, 3); }));
    grow(world, {4});
    ASSERT_TRUE(world.until([&] { return is_parent(world, 3, 4); }));
    const auto cables = world.network.between(2, 3);
    for (const auto& cable : cables)
        cable->hold(true);
    auto growth = world.head().grow(Network::hosts({5}));
    bool done = false;
    spawn(world, complete(world, growth, done));
    world.simulation.run_for(
        milliseconds{50});  // it is on its way from node 2 to node 3, and stays there
    world.network.out_of_reach = {2};
    for (const auto& cable : cables)
        cable->cut();
    EXPECT_TRUE(world.until([&] { return is_parent(world, 1, 3); }));
    EXPECT_TRUE(world.until([&] { return done; }));
    EXPECT_TRUE(world.head().hosts().is_up(5));
    EXPECT_TRUE(is_parent(world, 2, 5));
    EXPECT_TRUE(is_parent(world, 3, 4)) << "whom it had heard of it took along";
    EXPECT_TRUE(world.job().failures.empty());
    world.network.kill(*world.network.running(3));
    EXPECT_TRUE(world.until([&] { return world.job().is_lost(3) && is_parent(world, 1, 4); }));
    EXPECT_FALSE(world.job().is_lost(4));
    EXPECT_TRUE(world.finish());
    EXPECT_EQ(world.network.open_ends(), 0);
}

/// The head's links are those to children that are there, or of which something is kept.
TEST(GrowingTree, keeps_nothing_of_those_that_have_gone_where_there_is_a_routing_tree) {
    for (const std::string topology : {"chain", "flat"}) {
        WorldSettings settings{2, topology, milliseconds{4000}};
        settings.routing = topology;
        World world(settings);
        world.start();
        ASSERT_TRUE(world.until([&] { return world.settle(); })) << topology;
        const auto keys_of = [&](NodeIndex node) {
            return node == 0 ? world.head_process().keys_known()
                             : world.network.running(node)->keys_known();
        };
        std::vector<size_t> keys;
        for (const NodeIndex node : {0U, 1U, 2U})
            keys.push_back(keys_of(node));
        EXPECT_GT(keys.front(), 0U) << topology;
        const auto links = world.head().stats().links;
        for (NodeIndex node = 3; node < 9; ++node) {
            ASSERT_TRUE(grow(world, {node}).failures.empty()) << topology << " " << node;
            ASSERT_TRUE(world.until([&] { return world.part(node) != nullptr; }));
            EXPECT_TRUE(world.until([&] { return keys_of(0) == keys.front() + 1; })) << topology;
            if (node % 2 == 0) {
                take_out(world, {node});
            } else {
                world.network.kill(*world.network.running(node));
                ASSERT_TRUE(world.until([&] { return world.job().is_lost(node); })) << topology;
            }
            for (const NodeIndex stays : {0U, 1U, 2U})
                EXPECT_EQ(keys_of(stays), keys[stays]) << topology << " " << node << " " << stays;
        }
        ASSERT_TRUE(grow(world, {9}).failures.empty()) << topology;
        EXPECT_LE(world.head().stats().links, links + 1) << topology;
        EXPECT_TRUE(world.finish()) << topology;
        EXPECT_EQ(world.network.open_ends(), 0) << topology;
    }
}

TEST(GrowingTree, counts_a_host_again_that_could_not_be_started) {
    World world({2, "kary:2", milliseconds{4000}});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up(); }));
    world.network.unreachable = {3, 4};
    for (int i = 0; i < 3; ++i) {
        const auto growth = grow(world, {3});
        EXPECT_EQ(growth.nodes[0], 3U);
        ASSERT_EQ(growth.failures.size(), 1U);
        EXPECT_FALSE(growth.failures.front().was_up);
    }
    const auto two = grow(world, {4, 5});
    EXPECT_EQ(two.failures.size(), 1U);
    EXPECT_TRUE(world.head().hosts().is_up(5));
    world.network.unreachable.clear();
    EXPECT_TRUE(grow(world, {3}).failures.empty());
    EXPECT_EQ(world.head().hosts().count(), 5U);
    EXPECT_TRUE(world.finish());
    EXPECT_EQ(world.network.open_ends(), 0);
}

/// n1 is out of reach while n2 leaves it for the head, and gives up all that were below n2: also
/// n3, of which the head hears that it never ran.
TEST(GrowingTree, gives_no_host_a_number_that_another_node_has_given_up) {
    World world({2, "chain", milliseconds{4000}});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up(); }));
    world.network.login = [](NodeIndex) {
        return Login{Login::Answer::refuses, milliseconds{500}};
    };
    auto first = world.head().grow(Network::hosts({3}));
    ASSERT_EQ(first.nodes[0], 3U);
    world.simulation.run_for(milliseconds{100});
    const auto between = world.network.between(0, 1);
    world.network.out_of_reach.insert(1);
    for (const auto& cable : between)
        cable->hold(true);
    for (const auto& cable : world.network.between(1, 2))
        cable->cut();
    world.simulation.run_for(milliseconds{2800});
    world.network.out_of_reach.clear();
    for (const auto& cable : between)
        cable->hold(false);
    ASSERT_TRUE(world.until([&] { return world.job().is_lost(2); }));
    world.network.login = [](NodeIndex) { return Login(); };
    const auto begun = Clock::now();
    const auto second = grow(world, {3});
    EXPECT_EQ(second.nodes[0], 4U);
    EXPECT_TRUE(second.failures.empty());
    EXPECT_LT(Clock::now() - begun, milliseconds{100});
    EXPECT_TRUE(world.head().hosts().is_up(4));
    EXPECT_TRUE(world.finish());
}

/// A relay would refuse a node with a smaller number than its own, and its parent would lose it.
TEST(GrowingTree, used_again_number_costs_no_node_with_a_larger_number) {
    for (const std::string topology : {"chain", "kary:2", "binomial", "flat"}) {
        World world({1, topology, milliseconds{4000}});
        world.start();
        ASSERT_TRUE(world.until([&] { return world.all_up(); })) << topology;
        world.network.unreachable = {2};
        ASSERT_EQ(grow(world, {2}).failures.size(), 1U) << topology;
        ASSERT_TRUE(grow(world, {3, 4, 5, 6}).failures.empty()) << topology;
        world.network.unreachable.clear();
        const auto again = grow(world, {2});
        EXPECT_EQ(again.nodes[0], 2U) << topology;
        EXPECT_TRUE(again.failures.empty()) << topology;
        for (NodeIndex node = 1; node <= 6; ++node)
            EXPECT_TRUE(world.head().hosts().is_up(node)) << topology << " " << node;
        // The one whose host could not be reached.
        EXPECT_EQ(world.job().failures.size(), 1U) << topology;
        EXPECT_TRUE(world.finish()) << topology;
        EXPECT_EQ(world.network.open_ends(), 0) << topology;
    }
}

TEST(GrowingTree, goes_on_without_those_that_leave) {
    for (const std::string topology : {"chain", "kary:2", "flat"}) {
        World world({6, topology, milliseconds{4000}});
        world.start();
        ASSERT_TRUE(world.until([&] { return world.all_up(); })) << topology;
        grow(world, {7, 8});
        take_out(world, {1});
        take_out(world, {2, 3, 7});
        for (const NodeIndex node : {1U, 2U, 3U, 7U})
            EXPECT_TRUE(world.until([&] { return world.network.running(node) == nullptr; }))
                << topology << " " << node;
        EXPECT_TRUE(world.job().failures.empty()) << topology;
        for (const NodeIndex node : {4U, 5U, 6U, 8U}) {
            ASSERT_NE(world.network.running(node), nullptr) << topology << " " << node;
            world.part(node)->host.modex_notice("here");
            EXPECT_TRUE(world.until([&] { return !world.job().notices[node].empty(); }))
                << topology << " " << node;
        }
        EXPECT_TRUE(grow(world, {9, 10}).failures.empty()) << topology;
        EXPECT_TRUE(world.finish()) << topology;
        EXPECT_EQ(world.network.open_ends(), 0) << topology;
    }
}

TEST(GrowingTree, loses_at_once_what_is_to_go_now) {
    World world({4, "chain", milliseconds{4000}});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up(); }));
    take_out(world, {2}, true);
    ASSERT_EQ(world.job().failures.size(), 1U);
    EXPECT_EQ(world.job().failures.front().node, 2U);
    EXPECT_TRUE(world.job().failures.front().below.empty());
    EXPECT_NE(world.job().failures.front().error.cause.find("removed"), std::string::npos);
    EXPECT_TRUE(world.until([&] { return is_parent(world, 1, 3); }));
    EXPECT_TRUE(world.finish());
    EXPECT_EQ(world.network.open_ends(), 0);
}

}  // namespace
}  // namespace launch
