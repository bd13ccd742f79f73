// SPDX-License-Identifier: MIT
#include "modex/exchange/card_store.hpp"

#include <gtest/gtest.h>
#include <set>

namespace launch {
namespace {

TEST(CardStore, tells_what_a_put_did) {
    CardStore store;
    const struct {
        const char* name;
        Card card;
        CardStore::Id id;
        bool fresh;
        bool changed;
    } rows[] = {
        {"first", {1, "a", "1"}, 0, true, false},
        {"second", {2, "b", "1"}, 1, true, false},
        {"again", {1, "a", "1"}, 0, false, false},
        {"other value", {1, "a", "2"}, 0, false, true},
        {"other owner", {3, "a", "2"}, 0, false, false},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.name);
        const auto stored = store.put(row.card, true);
        EXPECT_EQ(stored.id, row.id);
        EXPECT_EQ(stored.fresh, row.fresh);
        EXPECT_EQ(stored.changed, row.changed);
        EXPECT_EQ(*store.find(row.card.key), row.card);
        EXPECT_EQ(store.id_of(row.card.key), row.id);
        EXPECT_EQ(store.card(row.id), row.card);
    }
    EXPECT_EQ(store.find("c"), nullptr);
}

TEST(CardStore, forgets_others_cards_but_not_its_own) {
    CardStore store;
    store.put({1, "own", "1"}, true);
    store.put({2, "other", "1"}, false);
    store.put({2, "own", "2"}, false);  // another's word about it does not make it another's
    store.forget_others();
    EXPECT_NE(store.find("own"), nullptr);
    EXPECT_EQ(store.find("other"), nullptr);
    const auto stored = store.put({2, "other", "2"}, false);
    EXPECT_EQ(stored.id, 1U);
    EXPECT_TRUE(stored.fresh);
    EXPECT_EQ(store.find("other")->value, "2");
}

TEST(CardStore, shows_what_fences_have_made_visible) {
    CardStore store;
    store.put({1, "before", "1"}, true);
    store.put({1, "first", "1"}, true, 1);
    store.put({1, "second", "1"}, true, 2);
    store.put({1, "first", "2"}, true, 2);  // visible with its old value: it stays so
    const auto visible = [&](uint64_t fences) {
        std::set<std::string> keys;
        store.for_each_visible(fences,
                               [&](CardStore::Id, const Card& card) { keys.insert(card.key); });
        return keys;
    };
    EXPECT_EQ(visible(0), (std::set<std::string>{"before"}));
    EXPECT_EQ(visible(1), (std::set<std::string>{"before", "first"}));
    EXPECT_EQ(visible(2), (std::set<std::string>{"before", "first", "second"}));
}

TEST(CardSet, holds_numbers) {
    CardSet set;
    EXPECT_FALSE(set.contains(5));
    EXPECT_FALSE(set.erase(5));
    set.insert(5);
    EXPECT_TRUE(set.contains(5));
    EXPECT_FALSE(set.contains(4));
    EXPECT_TRUE(set.erase(5));
    EXPECT_FALSE(set.contains(5));
    set.insert(7);
    set.clear();
    EXPECT_FALSE(set.contains(7));
}

}  // namespace
}  // namespace launch
