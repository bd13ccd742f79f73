// SPDX-License-Identifier: MIT
// A whole tree in this process, in which a report comes later than what it is about has changed, or
// the node that made it is gone before it has come.

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "core/base/build_id.hpp"
#include "tests/unit/core/harness/peer.hpp"
#include "tests/unit/core/harness/world.hpp"

namespace launch {
namespace {

/// A relay that the test plays. It leaves at once when it has its part of the tree, so that its
/// parent starts the nodes below it anew.
class LeavingRelay {
  public:
    LeavingRelay(World& world, NodeIndex node) {
        world.network.played[node] = [this, &world](Network::Stream stream) {
            peer_ = Peer::make(world.network.executor, world.network.tasks, std::move(stream));
            peer_->greet(own_build_id());
        };
        world.start();
        left_ = world.until([this] { return peer_ && peer_->count(FrameType::subtree) == 1; });
        if (left_) peer_->send(FrameType::bye, {});
    }
    ~LeavingRelay() { peer_->link->close(); }
    LeavingRelay(const LeavingRelay&) = delete;
    LeavingRelay& operator=(const LeavingRelay&) = delete;

    bool left() const { return left_; }

  private:
    std::shared_ptr<Peer> peer_;
    bool left_ = false;
};

/// The child of the node in whose subtree the other one is, as far as the node knows.
std::optional<NodeIndex> child_with(World& world, NodeIndex parent, NodeIndex node) {
    const auto children =
        parent == 0 ? world.head().children() : world.network.running(parent)->children();
    for (const ChildView& child : children)
        for (const NodeRange& range : child.nodes)
            if (range.contains(node)) return child.child;
    return std::nullopt;
}

/// Nobody can call the node any more; it may call others.
void hide(World& world, NodeIndex node) {
    world.network.ports.erase(world.network.port_of(node));
}

/// The node loses its link to its parent, which it cannot call.
void leave_parent(World& world, NodeIndex node, NodeIndex parent) {
    hide(world, parent);
    for (const auto& cable : world.network.between(parent, node))
        cable->cut();
}

/// Node 2 starts node 5 anew when it loses node 4. Node 5 has its place below node 1 before node 2,
/// whose report of that is news to node 1.
class LateReportOfStart : public testing::TestWithParam<std::pair<std::string, NodeIndex>> {};

TEST_P(LateReportOfStart, takes_no_node_from_its_place_in_the_routing_tree) {
    const auto& [routing, above_five] = GetParam();
    World world({5, "(()(()(())))", milliseconds{0}, {"job"}, routing, milliseconds{0}, true});
    std::shared_ptr<Cable> slow;
    int placed = 0;
    world.network.watch = [&](Cable& cable, Cable::Side from, FrameType type) {
        const auto is_of = [&](NodeIndex node) {
            const Process* const process = world.network.user_of(cable, from);
            return process != nullptr && process->node == node;
        };
        if (type == FrameType::routed && is_of(1)) ++placed;
        if (type == FrameType::attach && is_of(2)) slow = cable.shared_from_this();
        if (slow && placed < 3) slow->hold(true);
        return std::optional<Break::At>();
    };
    const LeavingRelay four(world, 4);
    ASSERT_TRUE(four.left());
    ASSERT_TRUE(world.until([&] {
        world.settle();
        return slow && placed == 3;
    }));
    EXPECT_EQ(child_with(world, 1, 5), above_five);
    slow->hold(false);
    ASSERT_TRUE(world.until([&] { return world.settle(); }));
    EXPECT_EQ(child_with(world, 1, 2), 2U);
    EXPECT_EQ(child_with(world, 1, 5), above_five);
    EXPECT_TRUE(world.until([&] { return world.part(5)->started_here; }));
    EXPECT_TRUE(world.finish());
}

INSTANTIATE_TEST_SUITE_P(LateWords, LateReportOfStart,
                         testing::Values(std::pair("((()(())))", 3U),    // 5 below 3
                                         std::pair("((()()()))", 5U)));  // all below 1

/// Node 4 cannot be reached, and nobody but its parent of the start keeps it. Node 5, which has its
/// place below it, has found another before, of which that parent has not heard.
TEST(LateWords, who_keeps_a_node_hears_which_of_those_below_it_have_their_place_elsewhere) {
    World world({5, "((()(()())))", milliseconds{0}, {"job"}, "(((()(()))))"});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up(); }));
    const auto down = world.network.between(3, 5).front();
    down->hold(Cable::Side::a, true);
    world.network.out_of_reach = {4};
    const auto two = *world.network.ports.find(world.network.port_of(2));
    hide(world, 2);
    std::set<NodeIndex> placed;
    world.network.watch = [&](Cable& cable, Cable::Side from, FrameType type) {
        const Process* const process = world.network.user_of(cable, from);
        if (type == FrameType::routed && process != nullptr) placed.insert(process->node);
        return std::optional<Break::At>();
    };
    ASSERT_TRUE(world.until([&] {
        world.settle();
        return placed.contains(3);
    }));
    world.network.ports.insert(two);
    down->hold(Cable::Side::a, false);
    ASSERT_TRUE(world.until([&] { return placed.contains(5); }));
    ASSERT_TRUE(world.until([&] { return world.settle() && child_with(world, 1, 4) == 3U; }));
    EXPECT_EQ(child_with(world, 1, 5), 2U);
    EXPECT_TRUE(world.until([&] { return !child_with(world, 3, 5); }));
    EXPECT_TRUE(world.until([&] { return world.part(5)->started_here; }));
    EXPECT_TRUE(world.finish());
}

/// Node 2 starts node 4 anew, which then goes to node 1, and node 2 itself to the head.
TEST(LateWords, a_node_that_was_started_anew_stays_with_the_node_that_adopted_it) {
    World world({4, "chain", milliseconds{0}, {"job"}, "", milliseconds{0}, true});
    std::shared_ptr<Cable> to_head;
    world.network.watch = [&](Cable& cable, Cable::Side from, FrameType type) {
        const Process* const process = world.network.user_of(cable, from);
        const bool is_from_two = process != nullptr && process->node == 2;
        const auto direct = world.network.between(0, 2);
        if (type == FrameType::failure && is_from_two && !direct.empty()) {
            to_head = direct.front();
            to_head->hold(true);
        }
        return std::optional<Break::At>();
    };
    const LeavingRelay three(world, 3);
    ASSERT_TRUE(three.left());
    world.network.between(1, 2).front()->hold(Cable::Side::b, true);
    ASSERT_TRUE(world.until([&] { return world.part(4) != nullptr; }));
    leave_parent(world, 4, 2);
    ASSERT_TRUE(world.until([&] { return child_with(world, 1, 4) == 4U; }));
    leave_parent(world, 2, 1);
    ASSERT_TRUE(world.until([&] { return to_head != nullptr; }));
    ASSERT_TRUE(world.until([&] { return child_with(world, 0, 4) == 1U; }));
    to_head->hold(false);
    ASSERT_TRUE(world.until([&] { return world.settle(); }));
    EXPECT_EQ(child_with(world, 0, 4), 1U);
    EXPECT_TRUE(world.until([&] { return world.part(4)->started_here; }));
    EXPECT_TRUE(world.finish());
}

/// Node 2 starts node 4 anew, which goes to the head before node 1 gets the report of that.
TEST(LateWords, a_node_that_was_started_anew_and_is_elsewhere_is_not_lost_with_its_former_parent) {
    World world({4, "chain", milliseconds{0}, {"job"}, "", milliseconds{0}, true});
    const LeavingRelay three(world, 3);
    ASSERT_TRUE(three.left());
    const auto cable = world.network.between(1, 2).front();
    cable->hold(Cable::Side::b, true);
    ASSERT_TRUE(world.until([&] { return world.part(4) != nullptr; }));
    hide(world, 1);
    leave_parent(world, 4, 2);
    ASSERT_TRUE(
        world.until([&] { return child_with(world, 0, 4) == 4U && !child_with(world, 2, 4); }));
    cable->hold(Cable::Side::b, false);
    ASSERT_TRUE(world.until([&] { return world.settle() && !child_with(world, 1, 4); }));
    world.network.kill(*world.network.running(2));
    ASSERT_TRUE(world.until([&] { return world.job().is_lost(2); }));
    EXPECT_FALSE(world.job().is_lost(4));
    EXPECT_EQ(child_with(world, 0, 4), 4U);
    EXPECT_TRUE(world.finish());
}

/// Node 3 goes to node 1, which reports that, and then to the head, where it dies. The report comes
/// after that: over the link on which it was under way, or once more over a link that takes the
/// place of that one, when node 1 knows already that node 3 has left it.
TEST(LateWords, a_node_that_dies_elsewhere_is_lost_though_a_former_parent_reports_that_it_has_it) {
    for (const bool link_breaks : {false, true}) {
        World world({3});
        world.start();
        ASSERT_TRUE(world.until([&] { return world.all_up(); }));
        const auto up = world.network.between(0, 1).front();
        up->hold(Cable::Side::b, true);
        world.network.kill(*world.network.running(2));
        ASSERT_TRUE(world.until([&] { return child_with(world, 1, 3) == 3U; }));
        if (!link_breaks) up->hold(Cable::Side::a, true);
        leave_parent(world, 3, 1);
        ASSERT_TRUE(world.until([&] { return child_with(world, 0, 3) == 3U; }));
        ASSERT_TRUE(!link_breaks || world.until([&] { return !child_with(world, 1, 3); }));
        world.network.kill(*world.network.running(3));
        settle(world.io);
        link_breaks ? up->cut() : up->hold(false);
        EXPECT_TRUE(world.until([&] { return world.job().is_lost(3); })) << link_breaks;
        EXPECT_FALSE(world.job().is_lost(1));
        EXPECT_TRUE(world.finish());
    }
}

awaitable<void> remove_in_order(World& world, std::vector<NodeIndex> nodes, bool& is_removed) {
    co_await world.head().remove(std::move(nodes), false);
    is_removed = true;
}

/// Returns while the node still leaves.
void begin_removal(World& world, NodeIndex node, bool& is_removed) {
    asio::co_spawn(world.io, remove_in_order(world, {node}, is_removed),
                   [](std::exception_ptr failure) {
                       if (failure) std::rethrow_exception(failure);
                   });
}

/// The report of its parent is lost with a link on its way, and the parent leaves before it can
/// repeat it.
TEST(LateWords, a_leaf_is_reported_as_lost_though_its_parent_has_left) {
    World world({3});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up(); }));
    const auto cable = world.network.between(0, 1).front();
    cable->hold(Cable::Side::b, true);
    world.network.kill(*world.network.running(3));
    ASSERT_TRUE(world.until([&] { return !world.part(1)->exits_below.empty(); }));
    bool is_removed = false;
    begin_removal(world, 2, is_removed);
    ASSERT_TRUE(world.until([&] { return world.network.running(2) == nullptr; }));
    cable->cut();
    ASSERT_TRUE(world.until([&] { return is_removed && world.job().is_lost(3); }));
    EXPECT_EQ(world.job().failures.size(), 1U);
    EXPECT_EQ(world.job().failures.front().node, 3U);
    EXPECT_EQ(world.job().failures.front().count_below(), 0U);
    EXPECT_EQ(world.job().failures.front().error.host, Network::name_of(3));
    EXPECT_TRUE(world.finish());
}

/// Node 3 goes to node 1, and node 5 joins below it and dies. Node 2 gives node 3 up, as it does
/// not get the message that it has left, and node 1 then cuts it off.
TEST(LateWords, a_leaf_is_reported_as_lost_though_its_parent_is_cut_off) {
    World world({3});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up(); }));
    world.network.between(1, 2).front()->hold(Cable::Side::a, true);
    leave_parent(world, 3, 2);
    ASSERT_TRUE(world.until([&] { return child_with(world, 1, 3) == 3U; }));
    world.head().grow({{"", Network::name_of(4), 0, 1}, {"", Network::name_of(5), 0, 1}});
    ASSERT_TRUE(world.until([&] { return world.head().hosts().is_up(5); }));
    ASSERT_EQ(child_with(world, 1, 5), 3U);
    const auto cable = world.network.between(0, 1).front();
    cable->hold(Cable::Side::b, true);
    world.network.kill(*world.network.running(5));
    ASSERT_TRUE(world.until([&] { return !child_with(world, 1, 5); }));
    world.network.out_of_reach = {3};  // the head would adopt it
    ASSERT_TRUE(world.until([&] { return world.network.running(3) == nullptr; }));
    cable->cut();
    world.network.between(1, 2).front()->hold(Cable::Side::a, false);
    EXPECT_TRUE(world.until([&] { return world.job().is_lost(3) && world.job().is_lost(5); }));
    EXPECT_TRUE(world.finish());
}

/// Its parent dies before it has left.
TEST(LateWords, a_node_that_leaves_as_ordered_is_not_reported_as_lost) {
    World world({3});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up(); }));
    const auto cable = world.network.between(2, 3).front();
    cable->hold(true);
    bool is_removed = false;
    begin_removal(world, 3, is_removed);
    ASSERT_TRUE(world.until([&] { return !child_with(world, 2, 3); }));
    world.network.kill(*world.network.running(2));
    cable->hold(false);
    ASSERT_TRUE(world.until([&] { return is_removed && world.job().is_lost(2); }));
    EXPECT_FALSE(world.job().is_lost(3));
    EXPECT_EQ(world.job().failures.size(), 1U);
    EXPECT_TRUE(world.finish());
}

}  // namespace
}  // namespace launch
