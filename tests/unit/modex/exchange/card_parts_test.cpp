// SPDX-License-Identifier: MIT
#include "modex/exchange/card_parts.hpp"

#include <gtest/gtest.h>

#include "modex/exchange/card_batch.hpp"

namespace launch {
namespace {

size_t cards_in(const std::string& batch) {
    return decode_cards(batch, 256u << 20)->size();
}

TEST(CardParts, of_nothing_there_is_one_that_is_the_last) {
    const auto part = CardParts(std::make_shared<FenceCards>(), {}).next();
    EXPECT_TRUE(part.last);
    EXPECT_TRUE(part.patterns.empty() && part.cards.empty() && part.changes.empty());
}

TEST(CardParts, are_no_longer_than_a_link_may_take_its_time_for) {
    const auto all = std::make_shared<FenceCards>();
    for (uint32_t i = 0; i < 10; ++i) {
        all->patterns.push_back({std::string(50'000, 'p'), i});
        all->cards.push_back(
            {{i, "key" + std::to_string(i), std::string(50'000, static_cast<char>('a' + i))},
             i % 2 == 0});
    }
    CardParts parts(all, {0, 1, 2, 3, 5, 6, 7, 8, 9});
    size_t patterns = 0;
    size_t cards = 0;
    size_t changes = 0;
    size_t count = 0;
    for (bool last = false; !last; ++count) {
        const auto part = parts.next();
        last = part.last;
        patterns += part.patterns.size();
        cards += cards_in(part.cards);
        changes += cards_in(part.changes);
        EXPECT_LE(part.cards.size() + part.changes.size() + 50'000 * part.patterns.size(),
                  PieceBatch::limit + 60'000);
    }
    EXPECT_EQ(count, 4U);
    EXPECT_EQ(patterns, 10U);
    EXPECT_EQ(cards, 5U);
    EXPECT_EQ(changes, 4U) << "number 4 was not wanted";
}

}  // namespace
}  // namespace launch
