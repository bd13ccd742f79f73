// SPDX-License-Identifier: MIT
// Ranks of a job that become known part by part.

#include <gtest/gtest.h>

#include "tests/unit/core/harness/lone_relay.hpp"

namespace launch {
namespace {

constexpr JobNumber later_job{2};

/// The relay hears which ranks are on these of three nodes, itself the first.
void tell_of(LoneRelay& relay, const std::vector<NodeRange>& nodes) {
    relay.keep(FrameType::assignment, later_job, idle_assignment(3).part_of(nodes).encode());
}

/// A job begins on all three nodes. The ranks of the last one are not known yet.
void begin_in_part(LoneRelay& relay) {
    relay.keep(FrameType::job, later_job, JobStart{idle_job("two").encode(), {}}.encode());
    tell_of(relay, {{1, 2}});
}

/// A node above has believed that a node is elsewhere which has come back to this one.
TEST(NodeJobs, ranks_wait_until_those_of_all_nodes_below_are_known) {
    LoneRelay relay(3);
    ASSERT_TRUE(relay.come_up({"one"}));
    ASSERT_TRUE(relay.until([&] { return relay.network.running(3)->part("one"); }));
    begin_in_part(relay);
    const auto part = [&](NodeIndex node) { return relay.network.running(node)->part("two"); };
    ASSERT_TRUE(relay.until([&] { return part(1) && part(2) && part(3); }));
    part(3)->host.modex_up("early");  // as of a node whose ranks were known below another parent
    relay.keep(FrameType::modex, later_job, "down");
    relay.settle();
    for (NodeIndex node = 1; node <= 3; ++node)
        EXPECT_FALSE(part(node)->started_here) << node;
    EXPECT_TRUE(part(1)->from_below.empty());
    tell_of(relay, {{2, 2}});
    ASSERT_TRUE(relay.until([&] { return part(2)->started_here && part(3)->started_here; }));
    EXPECT_TRUE(part(1)->started_here);
    EXPECT_EQ(part(1)->children, (std::vector<NodeIndex>{2, 3}));
    EXPECT_EQ(part(1)->from_below[3], std::vector<std::string>{"early"});
    EXPECT_EQ(part(1)->from_above, std::vector<std::string>{"down"});
    EXPECT_FALSE(relay.parent->ended);
}

TEST(NodeJobs, ranks_wait_for_those_of_no_node_that_leaves) {
    LoneRelay relay(3);
    ASSERT_TRUE(relay.come_up({"one"}));
    ASSERT_TRUE(relay.until([&] { return relay.network.running(3)->part("one"); }));
    begin_in_part(relay);
    ASSERT_TRUE(relay.until([&] { return relay.part("two"); }));
    relay.settle();
    EXPECT_FALSE(relay.part("two")->started_here);
    relay.broadcast(FrameType::remove, RemoveMessage{{3}, false}.encode());
    ASSERT_TRUE(relay.until([&] { return relay.part("two")->started_here; }));
    EXPECT_EQ(relay.part("two")->children, std::vector<NodeIndex>{2});
}

/// The report of that comes once, and only by way of the child that is lost then.
TEST(NodeJobs, the_end_of_a_rank_counts_that_comes_before_the_ranks_here_are_known) {
    LoneRelay relay(3);
    std::shared_ptr<Peer> two;
    relay.network.played[2] = [&](Network::Stream stream) {
        two = Peer::make(relay.network.executor, relay.network.tasks, std::move(stream));
        two->greet(own_build_id());
        two->send(FrameType::nodes_up, wrap_report({2, 1}, NodesMessage{{2}}.encode()));
    };
    ASSERT_TRUE(relay.come_up({"one"}));
    ASSERT_TRUE(relay.until([&] { return two && relay.network.running(3)->part("one"); }));
    begin_in_part(relay);
    ASSERT_TRUE(relay.until([&] { return relay.part("two") && relay.part("one"); }));
    const ExitsMessage ended{{{rank_of(2), {ExitStatus::Kind::exited, 0}, {}}}};
    two->send(FrameType::exits, wrap_report({2, 2}, wrap_job(later_job, ended.encode())));
    relay.settle();
    two->link->close();
    ASSERT_TRUE(relay.until([&] { return relay.parent->count(FrameType::failure) > 0; }));
    EXPECT_FALSE(relay.part("two")->started_here);
    tell_of(relay, {{3, 1}});
    ASSERT_TRUE(relay.until([&] { return relay.part("two")->started_here; }));
    EXPECT_EQ(relay.part("two")->exits_below, std::vector<uint32_t>{rank_of(2)});
}

TEST(NodeJobs, ranks_of_nodes_that_are_not_told_of_are_refused) {
    LoneRelay relay(2);
    ASSERT_TRUE(relay.come_up());
    auto told = idle_assignment(2);
    told.nodes.pop_back();
    relay.keep(FrameType::assignment, first_job, told.encode());
    EXPECT_TRUE(relay.until([&] { return relay.parent->ended; }));
}

}  // namespace
}  // namespace launch
