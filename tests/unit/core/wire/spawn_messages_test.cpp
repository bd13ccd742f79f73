// SPDX-License-Identifier: MIT
#include "core/wire/spawn_messages.hpp"

#include <gtest/gtest.h>

#include "core/base/codec.hpp"

namespace launch {
namespace {

SpawnMessage some_spawn() {
    return {7,
            1ULL << 40,
            3,
            {{{{"a", "b c"}, 2, {"A=1"}, {{"host", "n1"}, {"wdir", ""}}}, {{"d"}, 1, {}, {}}},
             {{"PORT", "tag#0$"}}}};
}

TEST(SpawnMessages, come_as_they_went) {
    EXPECT_EQ(SpawnMessage::decode(some_spawn().encode()), some_spawn());
    SpawnMessage hosts{7, 1, 3, {}};
    hosts.order.kind = SpawnOrder::Kind::release;
    hosts.order.hosts = "node[1-3]";
    EXPECT_EQ(SpawnMessage::decode(hosts.encode()), hosts);
    SpawnMessage event{7, 1, 3, {}};
    event.order.kind = SpawnOrder::Kind::event;
    event.order.since = 1ULL << 40;
    event.order.wait_ms = SpawnOrder::until_it_comes;
    EXPECT_EQ(SpawnMessage::decode(event.encode()), event);
    const SpawnedMessage ok{7, 5, "job.1", 3, {}, {}};
    EXPECT_EQ(SpawnedMessage::decode(ok.encode()), ok);
    EXPECT_TRUE(ok.ok());
    const SpawnedMessage failed{7, 5, {}, 3, {0, 2}, "why"};
    EXPECT_EQ(SpawnedMessage::decode(failed.encode()), failed);
    EXPECT_FALSE(failed.ok());
    const JobOrigin origin{2, "job", 4, {{"K", "V"}}};
    Encoder out;
    encode_origin(out, origin);
    const std::string bytes = out.take();
    Decoder in(bytes);
    EXPECT_EQ(decode_origin(in), origin);
    EXPECT_TRUE(in.done());
}

TEST(SpawnMessages, nothing_else_is_one) {
    const std::string bytes = some_spawn().encode();
    for (size_t length = 0; length < bytes.size(); ++length)
        EXPECT_FALSE(SpawnMessage::decode(bytes.substr(0, length))) << length;
    EXPECT_FALSE(SpawnMessage::decode(bytes + "x"));
    SpawnMessage of_nothing = some_spawn();
    of_nothing.order.programs.front().argv.clear();
    EXPECT_FALSE(SpawnMessage::decode(of_nothing.encode()));
    SpawnMessage unknown = some_spawn();
    unknown.order.kind = static_cast<SpawnOrder::Kind>(5);
    EXPECT_FALSE(SpawnMessage::decode(unknown.encode()));
    // A process that was not asked for cannot have failed.
    EXPECT_FALSE(SpawnedMessage::decode(SpawnedMessage{7, 5, {}, 3, {3}, "why"}.encode()));
}

}  // namespace
}  // namespace launch
