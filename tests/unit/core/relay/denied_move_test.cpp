// SPDX-License-Identifier: MIT
// A relay whose parent believes that it has gone elsewhere.

#include <gtest/gtest.h>

#include "core/link/patience.hpp"
#include "tests/unit/core/harness/lone_relay.hpp"

namespace launch {
namespace {

/// A node above believes that it has gone to another parent, and is wrong.
TEST(RelayRun, names_all_that_are_here_where_it_is_said_to_be_elsewhere) {
    LoneRelay relay(3);
    ASSERT_TRUE(relay.come_up());
    ASSERT_TRUE(relay.until([&] { return relay.network.running(3)->part("job"); }));
    relay.settle();
    relay.keep(FrameType::released, MovedMessage{{{1, 3}}}.encode());
    ASSERT_TRUE(relay.until([&] { return relay.parent->count(FrameType::gained) == 1; }));
    const auto said = relay.parent->all(FrameType::gained);
    Decoder kept(said.front());
    kept.number();  // among all messages
    const auto gained = MovedMessage::decode(kept.rest());
    ASSERT_TRUE(gained);
    EXPECT_EQ(gained->nodes, (std::vector<NodeRange>{{1, 1}, {2, 1}, {3, 1}}));
    EXPECT_EQ(gained->received, relay.channel.last_number()) << "all that was said to it before";
    EXPECT_EQ(relay.part()->parents, 2) << "its jobs say again what the parent has forgotten";
    for (int i = 0; i < 3; ++i)
        relay.keep(FrameType::released, MovedMessage{{{1, 1}}}.encode());
    relay.settle();
    EXPECT_EQ(relay.parent->count(FrameType::gained), 1U) << "it does not quarrel";
    relay.simulation.run_for(patience::renew);
    EXPECT_EQ(relay.parent->count(FrameType::gained), 2U) << "but it does not give in";
    EXPECT_FALSE(relay.parent->ended);
}

}  // namespace
}  // namespace launch
