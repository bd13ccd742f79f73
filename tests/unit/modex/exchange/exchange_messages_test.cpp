// SPDX-License-Identifier: MIT
#include "modex/exchange/exchange_messages.hpp"

#include <gtest/gtest.h>
#include <random>

#include "core/base/codec.hpp"

namespace launch {
namespace {

std::vector<ExchangeMessage> samples() {
    const CardsUp cards{true, false, 1u << 30, {{"k", 4}, {"l", 0}}, "a", "b"};
    const BlobsUp blobs{true, false, 1u << 30, 70, true, {{3, 0, 1, "c"}, {UINT32_MAX, 0, 0, ""}}};
    return {FenceUp{{}, 3, 40, 2, 17, cards},
            FenceUp{},
            FenceUp{{0, 7, UINT32_MAX}, 9, 3, 0, 0, blobs},
            FenceDown{{}, 4, CardsDown{true, false, {{"k", 4}}, "cards"}},
            FenceDown{},
            FenceDown{{3}, 1, BlobsDown{{{3, 0, 9, "blob"}}}, false},
            FenceUp{{0, 7}, 9, 3, 0, 0, blobs, false},
            FenceDown{{3}, 1, BlobsDown{{{3, 0, 4, "blob"}}}},
            Ask{Channel::blobs, UINT32_MAX, "key"},
            Answer{Channel::cards, 7, UINT64_MAX, true, false, "key", std::string("\0v", 2)},
            Answer{Channel::cards, 7, 1, true, true, "key", {}},
            Want{},
            Cards{5, false, "cards"},
            NameAsk{NameAsk::Verb::publish, 9, "name", "value", true},
            NameAsk{NameAsk::Verb::lookup, 0, "", ""},
            NameAnswer{9, true, "value"},
            GroupsOver{300},
            MessagePart{true, false, "bytes"},
            Told{std::string("\0e", 2)},
            WatchDeaths{},
            Deaths{{3, 4, UINT32_MAX}},
            GatherOrder{5, 2, GatherWay::doubling, 900, UINT64_MAX, true},
            GatherReport{UINT64_MAX, 1, true},
            GatherPieces{5, 1, true, {}},
            GatherPieces{5, 2, false, {{1, UINT64_MAX - 1, UINT64_MAX, "x"}, {2, 3, 9, "middle"}}},
            PeerPieces{5, 1, 9, {{7, 0, 3, "own"}, {8, 0, 0, ""}}}};
}

TEST(ExchangeMessages, come_back) {
    for (const auto& message : samples()) {
        const std::string bytes = encode(message);
        const auto back = decode_exchange(bytes);
        ASSERT_TRUE(back) << message.index();
        EXPECT_EQ(back->index(), message.index());
        EXPECT_EQ(encode(*back), bytes);
    }
    const auto up = decode_exchange(encode(samples()[0]));
    const auto& fields = std::get<FenceUp>(*up);
    EXPECT_EQ(fields.absent_rank, 17U);
    const auto& load = std::get<CardsUp>(fields.load);
    EXPECT_TRUE(load.changed);
    EXPECT_FALSE(load.complete);
    EXPECT_EQ(load.patterns, (std::vector<NewPattern>{{"k", 4}, {"l", 0}}));
    EXPECT_EQ(load.changes, "b");
}

TEST(ExchangeMessages, parts_and_more_are_refused) {
    for (const auto& message : samples()) {
        const std::string bytes = encode(message);
        for (size_t size = 0; size < bytes.size(); ++size)
            EXPECT_FALSE(decode_exchange(std::string_view(bytes).substr(0, size)));
        EXPECT_FALSE(decode_exchange(bytes + '\0'));
    }
}

/// The end of a fence of these members, as they are on the wire.
std::string down_to(const std::string& members) {
    return Encoder{}.number(1).take() + members +
           Encoder{}.number(1).number(1).number(0).flag(true).take();
}

TEST(ExchangeMessages, go_in_parts_if_they_are_large) {
    const std::string usual = encode(Answer{.value = std::string(400'000, 'v')});
    EXPECT_EQ(in_parts(usual), std::vector<std::string>{usual});
    const std::string large = encode(Answer{.value = std::string(2'000'000, 'v')});
    std::string together;
    const auto parts = in_parts(large);
    for (const std::string& each : parts) {
        EXPECT_LT(each.size(), 2 * PieceBatch::limit);
        const auto part = decode_exchange(each);
        ASSERT_TRUE(part);
        const auto& told = std::get<MessagePart>(*part);
        EXPECT_EQ(told.first, &each == &parts.front());
        EXPECT_EQ(told.last, &each == &parts.back());
        together += told.bytes;
    }
    EXPECT_EQ(together, large);
}

TEST(ExchangeMessages, numbers_out_of_range_are_refused) {
    ASSERT_TRUE(decode_exchange(down_to(Encoder{}.number(2).number(5).number(1).take())));
    const GatherOrder order{1, 1, GatherWay::ring, 1, 1, false};
    ASSERT_TRUE(decode_exchange(encode(order)));
    const struct {
        const char* name;
        std::string bytes;
    } rows[] = {
        {"kind", Encoder{}.number(17).take()},
        {"load", Encoder{}.number(1).number(0).number(1).number(2).number(0).flag(true).take()},
        {"channel", Encoder{}.number(2).number(2).number(0).text("").take()},
        {"owner", Encoder{}.number(2).number(0).number(1ull << 32).text("").take()},
        {"verb", Encoder{}.number(6).number(7).number(0).flag(false).text("").text("").take()},
        {"many patterns", Encoder{}
                              .number(1)
                              .number(0)
                              .number(1)
                              .number(0)
                              .flag(false)
                              .flag(true)
                              .number(1u << 30)
                              .take()},
        {"rank", down_to(Encoder{}.number(2).number(UINT32_MAX).number(1).take())},
        {"dead rank", Encoder{}.number(10).number(1).number(1ull << 32).take()},
        {"way", encode(order).replace(3, 1, "\4")},
        {"no attempt", encode(order).replace(2, 1, std::string(1, '\0'))},
        {"piece past the end", encode(GatherPieces{5, 1, true, {{1, 0, 2, "123"}}})},
        {"piece past all numbers",
         encode(GatherPieces{5, 1, true, {{1, UINT64_MAX, UINT64_MAX, "1"}}})},
        {"many pieces", Encoder{}.number(14).number(1).number(1).number(1).number(1u << 30).take()},
        {"a rank twice", encode(FenceUp{{4, 5, 5}, 0, 0, 0, 0, {}})},
        {"descending ranks", down_to(Encoder{}.number(2).number(5).number(UINT64_MAX).take())},
    };
    for (const auto& row : rows)
        EXPECT_FALSE(decode_exchange(row.bytes)) << row.name;
}

TEST(ExchangeMessages, garbage_is_refused_or_well_formed) {
    std::mt19937 random(1);
    for (int i = 0; i < 50000; ++i) {
        std::string bytes(random() % 40, '\0');
        for (char& byte : bytes)
            byte = static_cast<char>(random() % 3 == 0 ? random() : random() % 12);
        const auto message = decode_exchange(bytes);
        if (!message) continue;
        const std::string once = encode(*message);
        const auto again = decode_exchange(once);
        ASSERT_TRUE(again);
        EXPECT_EQ(encode(*again), once);
    }
}

}  // namespace
}  // namespace launch
