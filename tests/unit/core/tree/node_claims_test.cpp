// SPDX-License-Identifier: MIT
// Whom a node believes what: a relay that a test plays speaks for others, or calls in their name.

#include <gtest/gtest.h>
#include <map>
#include <optional>

#include "core/base/build_id.hpp"
#include "tests/unit/core/harness/peer.hpp"
#include "tests/unit/core/harness/world.hpp"
#include "topologies/registry.hpp"

namespace launch {
namespace {

/// A tree in which a test plays the relay of a node, the last one where none is named.
struct Intruder {
    explicit Intruder(WorldSettings settings, std::optional<NodeIndex> its_node = {})
        : world(settings), node(its_node.value_or(settings.hosts)) {
        world.network.played[node] = [this](Network::Stream stream) {
            peer = Peer::make(world.io.get_executor(), world.network.tasks, std::move(stream));
            peer->greet(own_build_id());
        };
        world.start();
    }
    ~Intruder() {
        if (peer) peer->link->close();
    }
    bool come_up() {
        if (!world.until([&] { return peer && peer->count(FrameType::subtree) == 1; }))
            return false;
        report(FrameType::nodes_up, NodesMessage{{node}}.encode());
        return world.until([&] { return world.all_up(); });
    }
    void report(FrameType type, std::string_view body) {
        peer->send(type, wrap_report({node, ++reports}, body));
    }
    bool is_lost() {
        return world.until([&] { return world.job().is_lost(node); });
    }

    World world;
    NodeIndex node;
    std::shared_ptr<Peer> peer;
    uint64_t reports = 0;
};

using NodesOfChildren = std::map<NodeIndex, std::vector<NodeRange>>;

NodesOfChildren below_head(World& world) {
    NodesOfChildren nodes;
    for (const ChildView& child : world.head().children())
        nodes[child.child] = child.nodes;
    return nodes;
}

TEST(NodeClaims, a_relay_that_says_that_another_host_is_lost_is_lost_alone) {
    for (const std::string topology : {"flat", "kary:2"}) {
        Intruder intruder({6, topology});
        ASSERT_TRUE(intruder.come_up()) << topology;
        FailureMessage failure;
        failure.node = 1;
        failure.was_up = true;
        intruder.report(FrameType::failure, failure.encode());
        ASSERT_TRUE(intruder.is_lost()) << topology;
        for (NodeIndex node = 1; node < intruder.node; ++node)
            EXPECT_FALSE(intruder.world.job().is_lost(node)) << topology << " " << node;
        EXPECT_TRUE(intruder.world.finish()) << topology;
    }
}

TEST(NodeClaims, a_relay_that_adopts_another_hosts_nodes_is_lost_alone) {
    Intruder intruder({4, "flat"});
    ASSERT_TRUE(intruder.come_up());
    NeighbourChannel channel;
    intruder.peer->send(FrameType::gained,
                        channel.keep(FrameType::gained, MovedMessage{{{1, 2}}}.encode()));
    ASSERT_TRUE(intruder.is_lost());
    EXPECT_EQ(intruder.world.job().failures.size(), 1u);
    EXPECT_EQ(intruder.world.head().children().size(), 3u);
    EXPECT_TRUE(intruder.world.finish());
}

TEST(NodeClaims, what_a_relay_reports_of_ranks_of_other_hosts_is_ignored_and_told) {
    Intruder intruder({3, "flat"});
    ASSERT_TRUE(intruder.come_up());
    const JobNumber job = first_job;
    const std::string exits = ExitsMessage{{{rank_of(1), {}, {}}}}.encode();
    intruder.report(FrameType::exits, wrap_job(job, exits));
    intruder.peer->send(
        FrameType::output,
        wrap_report({intruder.node, 1},
                    OutputMessage{rank_of(1), Stream::out, "false\n"}.encode_for(job)));
    const std::string own = ExitsMessage{{{rank_of(intruder.node), {}, {}}}}.encode();
    intruder.report(FrameType::exits, wrap_job(job, own));
    auto& seen = intruder.world.job();
    const auto all_exits = [&] {
        std::vector<ExitsMessage> all;
        for (const JobReport& report : seen.reports)
            if (const auto* exit = std::get_if<ExitsMessage>(&report)) all.push_back(*exit);
        return all;
    };
    ASSERT_TRUE(intruder.world.until(
        [&] { return all_exits().size() == 1 && seen.notices[intruder.node].size() == 2; }));
    EXPECT_EQ(all_exits().front().exits.front().rank, rank_of(intruder.node));
    EXPECT_TRUE(seen.outputs.empty());
    EXPECT_TRUE(seen.failures.empty());
    intruder.peer->link->close();
    EXPECT_TRUE(intruder.world.finish());
}

TEST(NodeClaims, a_report_of_a_place_that_the_routing_tree_does_not_have_ends_the_link) {
    WorldSettings settings{3, "flat"};
    settings.routing = "binomial";
    Intruder intruder(settings);
    ASSERT_TRUE(intruder.come_up());
    RoutedMessage routed;
    routed.node = 2;  // not itself
    intruder.report(FrameType::routed, routed.encode());
    ASSERT_TRUE(intruder.is_lost());
    EXPECT_FALSE(intruder.world.job().is_lost(2));
    EXPECT_TRUE(intruder.world.finish());
}

TEST(Routing, only_nodes_that_were_there_at_the_start_can_have_a_place) {
    Routing routing(0, 3, 3);
    EXPECT_TRUE(routing.set_place(2));
    EXPECT_FALSE(routing.set_place(3)) << "it has joined since";
    EXPECT_FALSE(routing.has_place(3));
}

/// Calls a node in the name of another one, with the keys that a node of that lineage can make.
struct Caller : DirectLinkHandler {
    Caller(World& its_world, NodeIndex as, std::vector<NodeRange> lineage)
        : world(its_world), self(as) {
        Process& process = world.network.add(as);
        DirectLinkSettings settings;
        settings.self = as;
        settings.own.lineage = std::move(lineage);
        links = process.factories.links(world.io.get_executor(), settings, *this);
    }
    bool wants_link(const DirectCall&) override { return false; }
    void direct_link(const DirectCall&, std::unique_ptr<ByteStream>) override {}

    ~Caller() {
        if (peer) peer->link->close();
        run(links->close());
    }
    Caller(const Caller&) = delete;
    Caller& operator=(const Caller&) = delete;

    awaitable<void> dial(Contact at) {
        auto stream =
            co_await links->dial(std::move(at), LinkPurpose::attach, milliseconds{1000}, {});
        if (stream) peer = Peer::make(world.network.executor, tasks, std::move(*stream));
    }
    bool is_let_in(NodeIndex by) {
        run(dial({by, Network::name_of(by), world.network.port_of(by)}));
        return peer != nullptr;
    }
    /// For itself and these nodes below it.
    bool gets_a_place(NodeIndex by, std::vector<NodeRange> below, NodeIndex size = 1) {
        if (!is_let_in(by)) return false;
        AttachMessage message;
        message.node = self;
        message.size = size;
        message.below = std::move(below);
        peer->link->send_magic();
        peer->send(FrameType::attach, message.encode());
        return world.until([this] { return peer->count(FrameType::attached) == 1; });
    }
    void run(awaitable<void> task) {
        bool done = false;
        asio::co_spawn(world.io, std::move(task), [&done](std::exception_ptr failure) {
            if (failure) std::rethrow_exception(failure);
            done = true;
        });
        EXPECT_TRUE(world.until([&done] { return done; }));
    }

    World& world;
    const NodeIndex self;
    std::unique_ptr<DirectLinks> links;
    TaskGroup tasks{world.network.executor};
    std::shared_ptr<Peer> peer;
};

/// It names nodes above it, itself, nodes of another branch, and of none.
TEST(NodeClaims, a_caller_brings_no_other_hosts_nodes_to_its_new_parent) {
    Intruder intruder({4, "((())(()))"}, 2);
    ASSERT_TRUE(intruder.come_up());
    {
        Caller caller(intruder.world, 2, {{0, 5}, {1, 2}, {2, 1}});
        ASSERT_TRUE(caller.gets_a_place(0, {{1, 1}, {2, 1}, {3, 2}, {9, 1}}));
    }
    const NodesOfChildren own = {{1, {{1, 1}}}, {2, {{2, 1}}}, {3, {{3, 2}}}};
    EXPECT_EQ(below_head(intruder.world), own);
    intruder.peer->link->close();
    ASSERT_TRUE(intruder.is_lost());
    EXPECT_EQ(intruder.world.job().failures.size(), 1U);
    EXPECT_TRUE(intruder.world.finish());
}

/// Node 1 reports what it has below it, when nodes 3 and 4, and then node 2, have come to the head.
struct FormerParent : testing::Test {
    FormerParent() {
        const auto is_told = [this] {
            return at_first.peer && one().count(FrameType::subtree) == 1;
        };
        EXPECT_TRUE(world.until(is_told));
        for (NodeIndex node = 1; node <= 4; ++node)
            one().send(FrameType::nodes_up, wrap_report({node, 1}, NodesMessage{{node}}.encode()));
        EXPECT_TRUE(world.until([&] { return world.all_up(); }));
        EXPECT_TRUE(
            caller(three, {{0, 5}, {1, 4}, {2, 3}, {3, 2}}, 3).gets_a_place(0, {{4, 1}}, 2));
        EXPECT_TRUE(caller(two, {{0, 5}, {1, 4}, {2, 3}}, 2).gets_a_place(0, {}));
        EXPECT_TRUE(world.until([&] { return one().count(FrameType::released) == 2; }));
    }
    ~FormerParent() override {
        two.reset();
        three.reset();
        one().link->close();
        EXPECT_TRUE(world.finish());
    }
    Peer& one() { return *at_first.peer; }
    /// It had received all messages up to the first by which it learns that nodes have left.
    void say(std::vector<NodeRange> nodes) {
        const auto released = one().all(FrameType::released);
        const MovedMessage message{std::move(nodes), Decoder(released.front()).number()};
        one().send(FrameType::gained, channel.keep(FrameType::gained, message.encode()));
        settle(world.io);
    }
    Caller& caller(std::optional<Caller>& at, std::vector<NodeRange> lineage, NodeIndex node) {
        return at.emplace(world, node, std::move(lineage));
    }

    Intruder at_first{{4, "chain"}, 1};
    World& world = at_first.world;
    std::optional<Caller> three;
    std::optional<Caller> two;
    NeighbourChannel channel;
};

TEST_F(FormerParent, is_believed_of_none_but_those_that_it_does_not_know_to_have_left) {
    say({{4, 1}, {2, 1}});
    EXPECT_EQ(below_head(world),
              (NodesOfChildren{{1, {{1, 1}, {4, 1}}}, {2, {{2, 1}}}, {3, {{3, 1}}}}));
    EXPECT_EQ(three->peer->count(FrameType::released), 1U);
    EXPECT_EQ(two->peer->count(FrameType::released), 0U);
}

TEST_F(FormerParent, hears_once_that_others_are_elsewhere_whose_first_has_left) {
    const NodesOfChildren before{{1, {{1, 1}}}, {2, {{2, 1}}}, {3, {{3, 2}}}};
    EXPECT_EQ(below_head(world), before);
    for (int i = 0; i < 2; ++i) {
        say({{2, 1}, {4, 1}});
        EXPECT_EQ(below_head(world), before);
        EXPECT_EQ(one().count(FrameType::released), 3U);
    }
    const auto released = one().all(FrameType::released);
    Decoder last(released.back());
    last.number();  // among all messages
    EXPECT_EQ(MovedMessage::decode(last.rest())->nodes, (std::vector<NodeRange>{{4, 1}}));
}

awaitable<void> complete(World& world, HeadTree::Growth& growth, bool& done) {
    co_await world.head().complete(growth);
    done = true;
}

/// Any node can make keys for each number of a node that joins below it.
TEST(NodeClaims, a_host_that_joined_is_let_in_only_along_the_branch_that_it_was_handed_to) {
    World world({2, "kary:2"});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up(); }));
    auto growth = world.head().grow({{"", "n3", 0, 1}, {"", "n4", 0, 1}});
    bool done = false;
    asio::co_spawn(world.io, complete(world, growth, done), [](std::exception_ptr failure) {
        if (failure) std::rethrow_exception(failure);
    });
    ASSERT_TRUE(world.until([&] { return done && world.part(1) && world.part(2); }));
    ASSERT_EQ(world.part(1)->children, (std::vector<NodeIndex>{3}));
    ASSERT_EQ(world.part(2)->children, (std::vector<NodeIndex>{4}));
    EXPECT_TRUE(Caller(world, 3, {{0, 3}, {1, 1}, {3, 1}}).is_let_in(0));
    EXPECT_FALSE(Caller(world, 3, {{0, 3}, {2, 1}, {3, 1}}).is_let_in(0));
    EXPECT_TRUE(world.finish());
}

}  // namespace
}  // namespace launch
