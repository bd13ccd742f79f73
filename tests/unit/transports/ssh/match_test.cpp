// SPDX-License-Identifier: MIT
#include "transports/ssh/match.hpp"

#include <gtest/gtest.h>
#include <string>

namespace launch {
namespace {

TEST(Match, KnowsStarsAndQuestionMarks) {
    struct Row {
        const char* text;
        const char* pattern;
        bool matches;
    };
    const Row rows[] = {
        {"node1", "node1", true},
        {"node1", "node2", false},
        {"node1", "node?", true},
        {"node", "node?", false},
        {"node12", "node?", false},
        {"", "*", true},
        {"", "", true},
        {"a", "", false},
        {"a.b.c", "*.c", true},
        {"a.b.c", "a*b*c", true},
        {"a.b.d", "a*b*c", false},
        {"aab", "*ab", true},
        {"Node1", "node1", false},
        {"*", "*", true},
        {"abc", "**c", true},
        {"abcd", "a*", true},
        {"ab", "ab*", true},
    };
    for (const auto& row : rows)
        EXPECT_EQ(matches_pattern(row.text, row.pattern), row.matches)
            << row.text << " by " << row.pattern;
}

TEST(Match, ANegatedPatternOverrules) {
    EXPECT_TRUE(matches_pattern_list("n1", "x,n*"));
    EXPECT_FALSE(matches_pattern_list("n1", "n*,!n1"));
    EXPECT_FALSE(matches_pattern_list("n1", "!n2"));
    EXPECT_FALSE(matches_pattern_list("n1", ""));
}

TEST(Match, StaysFastOnManyStars) {
    const std::string text(5000, 'a');
    EXPECT_FALSE(matches_pattern(text, "*a*a*a*a*a*a*a*a*a*a*a*b"));
}

}  // namespace
}  // namespace launch
