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

}  // namespace
}  // namespace launch
