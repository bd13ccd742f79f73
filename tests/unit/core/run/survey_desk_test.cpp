// SPDX-License-Identifier: MIT
#include "core/run/survey_desk.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

constexpr uint64_t asked = 5;

TEST(SurveyDesk, is_complete_when_each_node_has_answered_or_is_lost) {
    SurveyDesk desk;
    desk.open(asked, {1, 2, 3});
    EXPECT_TRUE(desk.take({asked, {1}, {{1, 0, 100, 'R', 5, 6}}}));
    EXPECT_TRUE(desk.take({asked, {1}, {{1, 0, 100, 'R', 5, 6}}}));  // again
    EXPECT_TRUE(desk.take({asked, {7}}));                            // came here after the question
    desk.lose({2, 1});
    EXPECT_FALSE(desk.is_complete(asked));
    EXPECT_TRUE(desk.take({asked, {3}}));
    EXPECT_TRUE(desk.is_complete(asked));
    const auto answer = desk.close(asked);
    EXPECT_EQ(answer.merged.ranks.size(), 1U);
    EXPECT_EQ(answer.merged.nodes, (std::vector<NodeIndex>{1, 7, 3}));
    EXPECT_TRUE(answer.silent.empty());
}

TEST(SurveyDesk, merges_what_several_nodes_found) {
    SurveyDesk desk;
    desk.open(asked, {1, 2, 3});
    SurveyMessage below{asked, {2, 3}};
    below.stacks.add({"a", {"main", "f"}, {}}, {2, 3});
    SurveyMessage own{asked, {1}};
    own.stacks.add({"a", {"main", "f"}, {}}, {1});
    desk.take(below);
    desk.take(own);
    EXPECT_EQ(stack_lines(desk.close(asked).merged.stacks),
              (std::vector<std::string>{"3 ranks in 1 group", "[1-3] f <- main"}));
}

TEST(SurveyDesk, names_the_silent_nodes) {
    SurveyDesk desk;
    desk.open(asked, {1, 2});
    desk.open(asked + 1, {1});
    desk.take({asked + 1, {1}});
    EXPECT_TRUE(desk.is_complete(asked + 1));
    EXPECT_FALSE(desk.is_complete(asked));
    EXPECT_EQ(desk.close(asked).silent, (std::vector<NodeIndex>{1, 2}));
    EXPECT_FALSE(desk.take({asked, {2}}));  // too late
}

}  // namespace
}  // namespace launch
