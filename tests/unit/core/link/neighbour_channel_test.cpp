// SPDX-License-Identifier: MIT
#include "core/link/neighbour_channel.hpp"

#include <gtest/gtest.h>

#include "core/base/codec.hpp"

namespace launch {
namespace {

/// What goes over a link that carries all, or breaks.
struct Neighbour {
    NeighbourChannel frames;
    std::string heard;

    /// False: it made no sense here.
    bool hear(const std::string& payload) {
        const auto taken = frames.take(payload);
        if (taken && taken->fresh) heard += taken->body;
        return taken.has_value();
    }
};

TEST(NeighbourChannel, come_once_and_in_order_over_a_link_that_breaks) {
    struct Row {
        const char* what;
        size_t arrive;   ///< of four frames, before the link breaks
        size_t confirm;  ///< of those, and the word came through
    };
    const Row rows[] = {
        {"nothing came", 0, 0},        {"some came, nothing was confirmed", 2, 0},
        {"some were confirmed", 3, 2}, {"all came", 4, 0},
        {"all were confirmed", 4, 4},
    };
    for (const Row& row : rows) {
        NeighbourChannel sender;
        Neighbour receiver;
        std::vector<std::string> sent;
        for (const char* body : {"a", "b", "c", "d"})
            sent.push_back(sender.keep(FrameType::modex, body));
        for (size_t i = 0; i < row.arrive; ++i)
            EXPECT_TRUE(receiver.hear(sent[i])) << row.what;
        EXPECT_TRUE(sender.acknowledge(row.confirm)) << row.what;
        EXPECT_EQ(sender.unacknowledged().entries().size(), 4 - row.confirm) << row.what;
        // The link that takes its place begins with what has come over the one before.
        EXPECT_TRUE(sender.acknowledge(receiver.frames.received())) << row.what;
        for (const auto& frame : sender.unacknowledged().entries())
            EXPECT_TRUE(receiver.hear(frame.payload)) << row.what;
        EXPECT_EQ(receiver.heard, "abcd") << row.what;
    }
}

TEST(NeighbourChannel, what_comes_again_is_known) {
    NeighbourChannel sender;
    Neighbour receiver;
    const std::string first = sender.keep(FrameType::input, "x");
    EXPECT_TRUE(receiver.hear(first));
    EXPECT_TRUE(receiver.hear(first));
    EXPECT_EQ(receiver.heard, "x");
    EXPECT_EQ(receiver.frames.received(), 1U);
}

TEST(NeighbourChannel, what_makes_no_sense_is_refused) {
    NeighbourChannel sender;
    sender.keep(FrameType::modex, "a");
    Neighbour receiver;
    EXPECT_FALSE(receiver.hear(sender.keep(FrameType::modex, "b"))) << "without the one before";
    EXPECT_FALSE(receiver.hear(""));
    EXPECT_FALSE(receiver.hear(Encoder{}.number(0).take()));
    EXPECT_FALSE(sender.acknowledge(3)) << "more than were sent";
    EXPECT_EQ(sender.unacknowledged().entries().size(), 2U);
}

TEST(NeighbourChannel, owe_a_word_for_all_that_came) {
    NeighbourChannel sender;
    Neighbour receiver;
    const std::string payload = sender.keep(FrameType::modex, std::string(1000, 'x'));
    receiver.hear(payload);
    EXPECT_EQ(receiver.frames.owed(), payload.size());
    receiver.frames.told();
    EXPECT_EQ(receiver.frames.owed(), 0U);
}

/// So many messages of a size; counts those that were made.
MessageSource made(size_t count, size_t size, size_t& made) {
    return [=, &made]() -> std::optional<std::string> {
        if (made == count) return std::nullopt;
        return std::string(size, static_cast<char>('a' + made++));
    };
}

TEST(NeighbourChannel, what_is_queued_is_made_as_the_other_side_takes_it) {
    constexpr size_t size = most_on_the_way / 2;
    NeighbourChannel sender;
    Neighbour receiver;
    size_t count = 0;
    sender.enqueue(FrameType::modex, made(6, size, count));
    sender.enqueue(FrameType::released, "end");
    for (size_t round = 0; sender.has_queue(); ++round) {
        ASSERT_LT(round, 6U);
        while (const auto* next = sender.next()) {
            EXPECT_TRUE(receiver.hear(next->payload));
            EXPECT_EQ(next->type,
                      next->payload.size() > size ? FrameType::modex : FrameType::released);
        }
        EXPECT_LE(sender.unacknowledged().bytes(), most_on_the_way + size);
        EXPECT_LE(count, 2 * (round + 1));
        EXPECT_TRUE(sender.acknowledge(receiver.frames.received()));
    }
    std::string wanted;
    for (char c = 'a'; c < 'a' + 6; ++c)
        wanted += std::string(size, c);
    EXPECT_EQ(receiver.heard, wanted + "end");
}

TEST(NeighbourChannel, a_queue_waits_while_nothing_is_acknowledged) {
    NeighbourChannel sender;
    size_t count = 0;
    sender.keep(FrameType::modex, std::string(most_on_the_way, 'x'));
    sender.enqueue(FrameType::modex, made(1, 1, count));
    EXPECT_EQ(sender.next(), nullptr);
    EXPECT_EQ(count, 0U);
    EXPECT_TRUE(sender.has_queue());
    EXPECT_TRUE(sender.acknowledge(1));
    ASSERT_NE(sender.next(), nullptr);
    EXPECT_EQ(sender.next(), nullptr);
    EXPECT_FALSE(sender.has_queue());
}

}  // namespace
}  // namespace launch
