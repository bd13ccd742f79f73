// SPDX-License-Identifier: MIT
#include "modex/exchange/key_pattern.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

using namespace std::string_literals;

struct Row {
    const char* name;
    std::string key;
    uint32_t owner;
    std::string pattern;
};

const Row rows[] = {
    {"number at the start", "17-card", 17, "\0\0-card"s},
    {"number at the end", "P17", 17, "P\0\0"s},
    {"number alone", "17", 17, "\0\0"s},
    {"rank 0", "P0-card", 0, "P\0\0-card"s},
    {"padded", "P0017-card", 17, "P\0\4-card"s},
    {"padded rank 0", "P0000", 0, "P\0\4"s},
    {"as wide as the padding", "P1234", 1234, "P\0\0"s},
    {"first of several", "shm-3-3", 3, "shm-\0\0-3"s},
    {"second number is the rank", "shm-1-3", 3, "shm-1-\0\0"s},
    {"largest rank", "P4294967295", 4294967295U, "P\0\0"s},
    {"other number", "P18-card", 17, "P18-card"},
    {"number within a number", "P173", 17, "P173"},
    {"no number", "card", 17, "card"},
    {"no key", "", 17, ""},
    {"too large for a rank", "P4294967296", 0, "P4294967296"},
    {"too many digits", "P00000000017", 17, "P00000000017"},
    {"a negative number is a dash and a number", "P-17", 17, "P-\0\0"s},
};

TEST(KeyPattern, patterns_leave_the_owner_out_and_give_the_key_back) {
    for (const Row& row : rows) {
        SCOPED_TRACE(row.name);
        EXPECT_EQ(pattern_of(row.key, row.owner), row.pattern);
        EXPECT_EQ(key_of(row.pattern, row.owner), row.key);
        EXPECT_EQ(is_literal(row.pattern), row.pattern == row.key);
    }
}

TEST(KeyPattern, a_key_tells_its_owner) {
    for (const Row& row : rows) {
        SCOPED_TRACE(row.name);
        PatternIndex index;
        std::vector<uint32_t> owners = {99};
        index.owners(row.key, owners);
        EXPECT_TRUE(owners.empty());
        EXPECT_FALSE(index.contains(row.pattern, row.owner));
        index.add(row.pattern, row.owner);
        EXPECT_TRUE(index.contains(row.pattern, row.owner));
        index.owners(row.key, owners);
        EXPECT_EQ(owners, (std::vector<uint32_t>{row.owner}));
    }
}

TEST(KeyPattern, one_pattern_serves_all_ranks) {
    PatternIndex index;
    std::vector<uint32_t> owners;
    index.add(pattern_of("P1-card", 1), 1);
    EXPECT_TRUE(index.contains(pattern_of("P7-card", 7), 7));
    index.owners("P123456-card", owners);
    EXPECT_EQ(owners, (std::vector<uint32_t>{123456}));
    index.owners("P0123456-card", owners);
    EXPECT_TRUE(owners.empty());
}

TEST(KeyPattern, a_key_of_several_numbers_may_have_several_owners) {
    PatternIndex index;
    std::vector<uint32_t> owners;
    index.add(pattern_of("shm-4-9", 4), 4);
    index.add(pattern_of("shm-4-9", 9), 9);
    index.add("shm-4-9", 77);
    index.owners("shm-4-9", owners);
    EXPECT_EQ(owners, (std::vector<uint32_t>{77, 4, 9}));
    index.owners("shm-5-9", owners);
    EXPECT_EQ(owners, (std::vector<uint32_t>{5}));
}

TEST(KeyPattern, a_literal_belongs_to_who_put_it_last) {
    PatternIndex index;
    std::vector<uint32_t> owners;
    index.add("port", 1);
    EXPECT_FALSE(index.contains("port", 2));
    index.add("port", 2);
    index.owners("port", owners);
    EXPECT_EQ(owners, (std::vector<uint32_t>{2}));
}

TEST(KeyPattern, what_is_no_pattern_makes_some_key) {
    EXPECT_EQ(key_of("P\0"s, 3).substr(0, 1), "P");
    EXPECT_EQ(key_of("P\0\xff"s, 3), "P0000000003");
}

}  // namespace
}  // namespace launch
