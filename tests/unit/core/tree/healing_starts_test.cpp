// SPDX-License-Identifier: MIT
// A whole tree in this process, and what becomes of it when hosts cannot be started, or relays are
// lost before that is known.

#include <algorithm>
#include <gtest/gtest.h>

#include "tests/unit/core/tree/healing.hpp"

namespace launch {
namespace {

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

/// Node 3 says nonsense and is lost before it has started node 4, which the head starts. What node
/// 3 had said of the relay of node 4 that it had started comes after that, by way of node 1, as it
/// can where there is a routing tree.
TEST(Healing, the_loss_of_an_older_relay_does_not_hit_the_one_in_its_place) {
    World world({4, "kary:2", milliseconds{0}, {"job"}, "binomial", milliseconds{0}, true});
    std::shared_ptr<Peer> one;
    std::shared_ptr<Peer> three;
    play_relay(world, 1, one);
    play_relay(world, 3, three);
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
