// SPDX-License-Identifier: MIT
// A whole tree in this process, and what becomes of it when its links and relays do not last.

#include <gtest/gtest.h>

#include "core/base/build_id.hpp"
#include "core/link/neighbour_channel.hpp"
#include "core/link/patience.hpp"
#include "tests/unit/core/harness/peer.hpp"
#include "tests/unit/core/harness/world.hpp"
#include "topologies/registry.hpp"

namespace launch {
namespace {

std::string numbered(const char* what, int number) {
    return std::string(what) + " " + std::to_string(number);
}

std::vector<std::string> all_numbered(const char* what, int count) {
    std::vector<std::string> all;
    for (int i = 0; i < count; ++i)
        all.push_back(numbered(what, i));
    return all;
}

std::string lines(const std::vector<std::string>& all) {
    std::string text;
    for (const std::string& line : all)
        text += line + "\n";
    return text;
}

/// What a node says, its parent to it, and it to its parent.
void say(World& world, NodeIndex node, NodeIndex parent, int number) {
    ModexHost& host = world.part(node)->host;
    host.modex_notice(numbered("report", number));
    host.modex_trace(rank_of(node), numbered("line", number));
    host.modex_up(numbered("up", number));
    world.part(parent)->host.modex_down(node, numbered("down", number));
}

TEST(Healing, a_tree_comes_up_and_ends_without_a_rest) {
    for (const std::string topology : {"chain", "flat", "kary:2", "binomial"}) {
        World world({9, topology, milliseconds{4000}});
        world.start();
        ASSERT_TRUE(world.until([&] { return world.all_up(); })) << topology;
        EXPECT_TRUE(world.finish()) << topology;
        EXPECT_EQ(world.network.open_ends(), 0) << topology;
        EXPECT_TRUE(world.job().failures.empty()) << topology;
    }
}

struct BreakCase {
    Cable::Side from;  ///< a: from the parent
    FrameType type;
};

class BreakingLink : public testing::TestWithParam<std::tuple<BreakCase, Break::At, int>> {};

TEST_P(BreakingLink, is_replaced_and_nothing_is_lost_or_doubled) {
    const auto& [which, at, skip] = GetParam();
    constexpr int words = 20;
    World world({3});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up() && world.part(3); }));
    const auto cable = world.network.between(1, 2).front();
    cable->break_at(which.from, {at, which.type, skip});
    for (int i = 0; i < words; ++i) {
        say(world, 2, 1, i);
        say(world, 3, 2, i);
        for (int handlers = 0; handlers < 7; ++handlers)
            world.io.poll_one();
    }
    const auto has_all = [&](NodeIndex node, NodeIndex parent) {
        return world.job().notices[node].size() >= words &&
               world.job().outputs[rank_of(node)].size() >=
                   lines(all_numbered("line", words)).size() &&
               world.part(parent)->from_below[node].size() >= words &&
               world.part(node)->from_above.size() >= words;
    };
    ASSERT_TRUE(world.until([&] { return has_all(2, 1) && has_all(3, 2) && cable->is_broken(); }));
    for (const NodeIndex node : {2U, 3U}) {
        EXPECT_EQ(world.job().notices[node], all_numbered("report", words));
        EXPECT_EQ(world.job().outputs[rank_of(node)], lines(all_numbered("line", words)));
        EXPECT_EQ(world.part(node - 1)->from_below[node], all_numbered("up", words));
        EXPECT_EQ(world.part(node)->from_above, all_numbered("down", words));
        EXPECT_EQ(world.part(node)->parents, 1);
    }
    EXPECT_TRUE(world.job().failures.empty());
    EXPECT_TRUE(world.finish());
    EXPECT_EQ(world.network.open_ends(), 0);
}

INSTANTIATE_TEST_SUITE_P(
    Healing, BreakingLink,
    testing::Combine(testing::Values(BreakCase{Cable::Side::b, FrameType::notice},
                                     BreakCase{Cable::Side::b, FrameType::output},
                                     BreakCase{Cable::Side::b, FrameType::modex},
                                     BreakCase{Cable::Side::a, FrameType::modex}),
                     testing::Values(Break::At::middle, Break::At::end), testing::Values(0, 7)));

/// The link breaks while nothing else is said, where only the end itself shows it.
TEST(Healing, the_word_of_the_end_that_a_broken_link_swallowed_is_told_again) {
    World world({3});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up(); }));
    const auto cable = world.network.between(1, 2).front();
    cable->break_at(Cable::Side::a, {Break::At::middle, FrameType::finish});
    EXPECT_TRUE(world.finish());
    EXPECT_TRUE(cable->is_broken());
    EXPECT_EQ(world.network.open_ends(), 0);
}

/// Many jobs of a session may begin and end while a link is broken.
TEST(Healing, all_that_the_head_has_told_while_a_link_was_broken_is_told_again) {
    constexpr uint64_t answers = 1000;
    World world({3});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up() && world.part(3); }));
    const auto cable = world.network.between(1, 2).front();
    cable->break_at(Cable::Side::a, {Break::At::middle, FrameType::spawned});
    for (uint64_t ticket = 1; ticket <= answers; ++ticket)
        world.head().answer(first_job, {3, ticket, {}, 0, {}, {}});
    ASSERT_TRUE(world.until([&] {
        return cable->is_broken() && !world.part(3)->answers.empty() &&
               world.part(3)->answers.back().ticket == answers;
    }));
    ASSERT_EQ(world.part(3)->answers.size(), answers);
    for (uint64_t ticket = 1; ticket <= answers; ++ticket)
        EXPECT_EQ(world.part(3)->answers[ticket - 1].ticket, ticket);
    EXPECT_TRUE(world.finish());
}

/// Its ranks get rid of what they write, or they could not end.
TEST(Healing, output_of_a_job_that_the_head_has_given_up_is_dropped) {
    constexpr uint64_t window = 4096;
    constexpr size_t line_size = 1024;
    World world({3});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up(); }));
    world.begin("other", window);
    ASSERT_TRUE(world.until([&] { return world.part(3, "other") != nullptr; }));
    for (int i = 0; i < 20; ++i)
        world.part(3, "other")->host.modex_trace(rank_of(3), std::string(line_size - 1, 'x'));
    const auto& output = world.job("other").outputs[rank_of(3)];
    ASSERT_TRUE(world.until([&] { return output.size() >= window; }));
    settle(world.io);
    EXPECT_EQ(output.size(), window) << "nobody has read any of it";
    world.head().forget(JobNumber{2});
    world.head().output_read(3, JobNumber{2}, line_size);
    EXPECT_TRUE(world.finish());
    EXPECT_TRUE(world.stuck().empty());
}

TEST(Healing, whoever_cannot_be_started_leaves_those_below_to_be_started_from_above) {
    World world({12, "kary:3"});
    world.network.unreachable = {1, 2, 5};
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up(); }));
    for (NodeIndex node = 1; node <= 12; ++node) {
        EXPECT_EQ(world.network.running(node) == nullptr, world.network.unreachable.contains(node));
        EXPECT_EQ(world.job().is_lost(node), world.network.unreachable.contains(node));
    }
    auto started = world.network.started;
    std::sort(started.begin(), started.end());
    EXPECT_EQ(started, (std::vector<NodeIndex>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
    EXPECT_TRUE(world.finish());
}

/// Asks a node for a place below it, as another; returns when it has been hung up on.
awaitable<void> ask_for_place(any_io_executor executor, std::unique_ptr<DirectLinks>& links,
                              Contact at, NodeIndex as, bool& is_refused) {
    auto stream = co_await links->dial(std::move(at), LinkPurpose::attach, milliseconds{1000}, {});
    if (!stream) throw std::runtime_error(describe(stream.error()));
    Peer asker(executor, *std::move(stream));
    TaskGroup writing(executor);
    writing.spawn(write_to_end(asker.link));
    AttachMessage message;
    message.node = as;
    message.size = 2;
    asker.link->send_magic();
    asker.send(FrameType::attach, message.encode());
    const auto answer = co_await asker.link->receive();
    is_refused = answer && !answer->has_value();
    asker.link->close();
    co_await writing.join();
    co_await links->close();
}

struct NobodyCalls : DirectLinkHandler {
    bool wants_link(const DirectCall&) override { return false; }
    void direct_link(const DirectCall&, std::unique_ptr<ByteStream>) override {}
};

/// Its relay runs, and nothing comes through on the way by which it was started.
TEST(Healing, who_calls_while_it_is_being_started_is_not_taken_for_started) {
    WorldSettings settings{3, "chain"};
    settings.start_limit = milliseconds{500};
    World world(settings);
    Network::Stream silent;
    world.network.played[2] = [&](Network::Stream stream) { silent = std::move(stream); };
    world.start();
    ASSERT_TRUE(world.until([&] { return silent && world.network.running(1)->links; }));
    NobodyCalls handler;
    Process& second = world.network.add(2);
    DirectLinkSettings own;
    own.self = 2;
    own.own.lineage = {{0, 4}, {1, 3}, {2, 2}};
    auto links = second.factories.links(world.io.get_executor(), own, handler);
    bool is_refused = false;
    const Contact first{1, "n1", world.network.port_of(1)};
    asio::co_spawn(world.io, ask_for_place(world.io.get_executor(), links, first, 2, is_refused),
                   [](std::exception_ptr failure) {
                       if (failure) std::rethrow_exception(failure);
                   });
    EXPECT_TRUE(world.until([&] { return is_refused; }));
    EXPECT_TRUE(world.job().failures.empty()) << "its start goes on";
    EXPECT_TRUE(world.until([&] { return world.all_up(); }));
    EXPECT_TRUE(world.job().is_lost(2));
    EXPECT_FALSE(world.job().is_lost(3)) << "it is started from above";
    EXPECT_TRUE(world.until([&] { return world.head().hosts().is_up(3); }));
    world.network.kill(second);
    silent.reset();
    EXPECT_TRUE(world.finish());
}

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

/// Where hosts may be missing the job goes on without them, and they are nobody's.
TEST(Healing, who_never_ran_is_not_lost_with_who_was_to_start_it) {
    for (const std::string routing : {"", "binomial"}) {
        World world({5, "kary:2", milliseconds{0}, {"job"}, routing, milliseconds{0}, true});
        world.network.unreachable = {3};  // a child of the first
        world.start();
        ASSERT_TRUE(world.until([&] { return world.settle(); })) << routing;
        ASSERT_EQ(world.job().failures.size(), 1U) << routing;
        world.network.kill(*world.network.running(1));
        ASSERT_TRUE(world.until([&] { return world.job().failures.size() == 2; })) << routing;
        EXPECT_EQ(world.job().failures[1].node, 1U) << routing;
        EXPECT_EQ(world.job().failures[1].count_below(), 0U) << routing;
        EXPECT_TRUE(world.finish()) << routing;
    }
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
    world.network.played[4] = [&](Network::Stream stream) {
        four = Peer::make(world.io.get_executor(), world.network.tasks, std::move(stream));
        four->greet(own_build_id());
    };
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
    world.network.played[1] = [&](Network::Stream stream) {
        one = Peer::make(world.io.get_executor(), world.network.tasks, std::move(stream));
        one->greet(own_build_id());
    };
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

/// A relay in this test's hands, as a transport starts it.
void play(World& world, NodeIndex node, std::shared_ptr<Peer>& peer) {
    world.network.played[node] = [&world, &peer](Network::Stream stream) {
        peer = Peer::make(world.network.executor, world.network.tasks, std::move(stream));
        peer->greet(own_build_id());
    };
}

/// Node 3 says nonsense and is lost before it has started node 4, which the head starts. What node
/// 3 had said of the relay of node 4 that it had started comes after that, by way of node 1, as it
/// can where there is a routing tree.
TEST(Healing, the_loss_of_an_older_relay_does_not_hit_the_one_in_its_place) {
    World world({4, "kary:2", milliseconds{0}, {"job"}, "binomial", milliseconds{0}, true});
    std::shared_ptr<Peer> one;
    std::shared_ptr<Peer> three;
    play(world, 1, one);
    play(world, 3, three);
    world.start();
    const auto has_part = [](const std::shared_ptr<Peer>& peer) {
        return peer && peer->count(FrameType::subtree) == 1;
    };
    ASSERT_TRUE(world.until([&] { return has_part(one) && has_part(three); }));
    three->send(FrameType::bye, {});
    ASSERT_TRUE(world.until([&] { return world.head().hosts().is_up(4); }));
    FailureMessage failure;
    failure.node = 4;
    failure.was_up = true;
    one->send(FrameType::failure, wrap_report({3, 1}, failure.encode()));
    one->send(FrameType::nodes_up, wrap_report({1, 1}, NodesMessage{{1}}.encode()));
    ASSERT_TRUE(world.until([&] { return world.head().hosts().is_up(1); }));
    EXPECT_TRUE(world.head().hosts().is_up(4));
    EXPECT_FALSE(world.job().is_lost(4));
    failure.generation = 1;  // and now of this one
    one->send(FrameType::failure, wrap_report({3, 2}, failure.encode()));
    ASSERT_TRUE(world.until([&] { return world.job().is_lost(4); }));
    one->link->close();
    three->link->close();
    EXPECT_TRUE(world.finish());
}

}  // namespace
}  // namespace launch
