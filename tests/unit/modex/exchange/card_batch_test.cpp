// SPDX-License-Identifier: MIT
#include "modex/exchange/card_batch.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <tuple>

#include "core/base/codec.hpp"

namespace launch {
namespace {

constexpr size_t plenty = 64u << 20;

std::string encoded(const std::vector<Card>& cards) {
    std::vector<const Card*> pointers;
    pointers.reserve(cards.size());
    for (const Card& card : cards)
        pointers.push_back(&card);
    return encode_cards(pointers);
}

std::vector<Card> sorted(std::vector<Card> cards) {
    std::sort(cards.begin(), cards.end(), [](const Card& a, const Card& b) {
        return std::tie(a.key, a.owner) < std::tie(b.key, b.owner);
    });
    return cards;
}

void expect_round_trip(const std::vector<Card>& cards) {
    const auto back = decode_cards(encoded(cards), plenty);
    ASSERT_TRUE(back);
    EXPECT_EQ(sorted(*back), sorted(cards));
}

TEST(CardBatch, cards_come_back) {
    const struct {
        const char* name;
        std::vector<Card> cards;
    } rows[] = {
        {"none", {}},
        {"one", {{3, "P3-card", "value"}}},
        {"empty value", {{3, "P3-card", ""}}},
        {"empty key", {{3, "", "value"}}},
        {"any order", {{9, "P9", "b"}, {3, "P3", "a"}, {4000000000U, "P4000000000", "c"}}},
        {"several of a rank", {{3, "P3", "a"}, {3, "Q3", "b"}, {3, "port", "c"}}},
        {"literals of many", {{1, "uuid-77", "a"}, {2, "uuid-78", "a"}, {3, "uuid-7", "a"}}},
        {"padded and not", {{7, "P07", "a"}, {11, "P11", "b"}, {7, "P7", "c"}}},
        {"bytes", {{1, "P1", std::string("\0\xff\n", 3)}, {2, "P2", std::string("\0\0", 2)}}},
        {"alike at both ends", {{1, "P1", "aaaa"}, {2, "P2", "aa"}, {3, "P3", "aaaaa"}}},
        {"equal", {{1, "P1", "same"}, {2, "P2", "same"}}},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.name);
        expect_round_trip(row.cards);
    }
}

TEST(CardBatch, random_cards_come_back) {
    std::mt19937 random(5);
    for (int round = 0; round < 300; ++round) {
        std::vector<Card> cards;
        for (uint32_t i = 0; i < random() % 40; ++i) {
            const uint32_t owner = random() % 2 == 0 ? i : static_cast<uint32_t>(random());
            std::string value(random() % 30, 'v');
            if (!value.empty()) value[random() % value.size()] = static_cast<char>(random());
            cards.push_back({owner,
                             std::to_string(random() % 3) + "k" + std::to_string(owner) + "-" +
                                 std::to_string(i),
                             value});
        }
        expect_round_trip(cards);
    }
}

/// Cards as MPI libraries write them: 200 bytes, of which host, port and a few more differ.
TEST(CardBatch, what_cards_have_in_common_is_sent_once) {
    std::vector<Card> cards;
    std::vector<Card> literals;
    size_t bytes = 0;
    for (uint32_t rank = 0; rank < 900; ++rank) {
        std::string value = "description#node" + std::to_string(rank) + "$port#" +
                            std::to_string(32768 + rank * 37 % 28000) + "$ifname#10.1." +
                            std::to_string(rank / 250) + "." + std::to_string(rank % 250) + "$";
        value.resize(200, 'x');
        bytes += value.size() + 20;
        cards.push_back({rank, "P" + std::to_string(rank) + "-businesscard", value});
        literals.push_back(
            {rank, "uuid-" + std::to_string(rank * 7919 + 1000000) + "-card", value});
    }
    expect_round_trip(cards);
    expect_round_trip(literals);
    EXPECT_LT(encoded(cards).size(), bytes / 5);
    EXPECT_LT(encoded(literals).size(), bytes / 4);
    testing::Test::RecordProperty("cards", static_cast<int>(encoded(cards).size()));
    testing::Test::RecordProperty("literals", static_cast<int>(encoded(literals).size()));
}

TEST(CardBatch, no_part_of_a_batch_is_one_nor_is_any_change_of_it_harmful) {
    const std::vector<Card> cards = {{1, "P1-card", "host-1:4000"},
                                     {2, "P2-card", "host-2:4000"},
                                     {3, "P03-card", ""},
                                     {4, "port", "4711"}};
    const std::string bytes = encoded(cards);
    std::mt19937 random(3);
    for (size_t size = 0; size < bytes.size(); ++size) {
        const auto part = decode_cards(std::string_view(bytes).substr(0, size), plenty);
        EXPECT_TRUE(!part || part->size() < cards.size());
    }
    for (int i = 0; i < 20000; ++i) {
        std::string changed = bytes;
        for (size_t n = 1 + random() % 3; n > 0; --n)
            changed[random() % changed.size()] = static_cast<char>(random());
        decode_cards(changed, 4096);
    }
}

TEST(CardBatch, a_small_batch_cannot_become_large) {
    // One large value, then the same again and again: four bytes a card.
    Encoder out;
    out.number(0).number(0).text("k").number(100'000);
    out.number(0).number(0).number(0).text(std::string(50'000, 'v'));
    for (int i = 1; i < 100'000; ++i)
        out.number(0).number(50'000).number(0).text("");
    const std::string bytes = out.take();
    EXPECT_FALSE(decode_cards(bytes, 1u << 20));
    // Empty ones cost too.
    Encoder empty;
    empty.number(0).number(0).text("k").number(100'000);
    for (int i = 0; i < 100'000; ++i)
        empty.number(0).number(0).number(0).text("");
    EXPECT_FALSE(decode_cards(empty.take(), 1u << 20));
}

TEST(CardBatch, owners_beyond_any_rank_are_refused) {
    Encoder out;
    out.number(0).number(0).text("k").number(2);
    for (int i = 0; i < 2; ++i)
        out.number(UINT32_MAX).number(0).number(0).text("v");
    EXPECT_FALSE(decode_cards(out.take(), plenty));
}

}  // namespace
}  // namespace launch
