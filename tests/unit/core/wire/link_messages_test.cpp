// SPDX-License-Identifier: MIT
#include "core/wire/link_messages.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

/// Decodes and encodes again; nothing: malformed.
template <class Message>
std::optional<std::string> again(std::string_view payload) {
    const auto message = Message::decode(payload);
    if (!message) return std::nullopt;
    return message->encode();
}

struct Codec {
    const char* what;
    std::string payload;
    std::optional<std::string> (*again)(std::string_view);
};

std::vector<Codec> codecs() {
    const uint64_t most = UINT64_MAX;
    const Contact v4{3, "10.0.0.1", 40000};
    const Contact unknown{0, "", 0};
    return {
        {"ack", AckMessage{5, 1, most}.encode(), &again<AckMessage>},
        {"ack of what was read", AckMessage{5, 0, 0, JobNumber{7}, most}.encode(),
         &again<AckMessage>},
        {"ping", PingMessage{true, {300, 2}, most, true}.encode(), &again<PingMessage>},
        {"attach", AttachMessage{UINT32_MAX, 7, ReceivedCount{most, 1}, 9}.encode(),
         &again<AttachMessage>},
        {"attach to another", AttachMessage{1, 7, {}, 9}.encode(), &again<AttachMessage>},
        {"attach with others", AttachMessage{1, 7, {}, 9, false, 2, {{40, 2}, {50, 1}}, 3}.encode(),
         &again<AttachMessage>},
        {"moved", MovedMessage{{{3, 7}}}.encode(), &again<MovedMessage>},
        {"moved with others", MovedMessage{{{3, 7}, {40, 2}}, 5}.encode(), &again<MovedMessage>},
        {"attached", AttachedMessage{ReceivedCount{1, 2}, {v4, unknown}, 3}.encode(),
         &again<AttachedMessage>},
        {"attached to the head", AttachedMessage{{}, {}}.encode(), &again<AttachedMessage>},
    };
}

TEST(LinkMessages, come_back) {
    for (const Codec& codec : codecs())
        EXPECT_EQ(codec.again(codec.payload), codec.payload) << codec.what;
    const auto attached =
        AttachedMessage::decode(AttachedMessage{ReceivedCount{1, 2}, {{3, "::1", 65535}}}.encode());
    ASSERT_TRUE(attached);
    EXPECT_EQ(attached->received, (ReceivedCount{1, 2}));
    EXPECT_EQ(attached->ancestors, (std::vector<Contact>{{3, "::1", 65535}}));
}

TEST(LinkMessages, what_is_cut_off_or_goes_on_is_malformed) {
    for (const Codec& codec : codecs()) {
        for (size_t size = 0; size < codec.payload.size(); ++size)
            EXPECT_FALSE(codec.again(codec.payload.substr(0, size))) << codec.what << " " << size;
        EXPECT_FALSE(codec.again(codec.payload + "x")) << codec.what;
    }
}

TEST(LinkMessages, a_block_without_nodes_is_malformed) {
    EXPECT_FALSE(AttachMessage::decode(AttachMessage{1, 0, {}, 0}.encode()));
    EXPECT_FALSE(MovedMessage::decode(MovedMessage{}.encode()));
    EXPECT_TRUE(MovedMessage::decode(MovedMessage{{{4, 1}, {3, 1}}}.encode()));
    EXPECT_FALSE(MovedMessage::decode(MovedMessage{{{4, 1}, {3, 2}}}.encode())) << "one twice";
}

TEST(LinkMessages, broadcasts_carry_any_body) {
    for (const std::string& body : {std::string(), std::string("\0\xff\n", 3)}) {
        const std::string payload = wrap_broadcast({UINT64_MAX, body});
        const auto message = unwrap_broadcast(payload);
        ASSERT_TRUE(message);
        EXPECT_EQ(message->number, UINT64_MAX);
        EXPECT_EQ(message->body, body);
    }
    EXPECT_FALSE(unwrap_broadcast("")) << "no number";
}

TEST(LinkMessages, reports_carry_any_body) {
    for (const std::string& body : {std::string(), std::string("\0\xff\n", 3)}) {
        const std::string payload = wrap_report({900, 1u << 20}, body);
        const auto report = unwrap_report(payload);
        ASSERT_TRUE(report);
        EXPECT_EQ(report->header, (ReportHeader{900, 1u << 20}));
        EXPECT_EQ(report->body, body);
    }
    EXPECT_FALSE(unwrap_report(""));
    EXPECT_FALSE(unwrap_report("\x05"));
}

}  // namespace
}  // namespace launch
