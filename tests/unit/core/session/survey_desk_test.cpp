// SPDX-License-Identifier: MIT
#include "core/session/survey_desk.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(SurveyDesk, IsCompleteWhenEachNodeHasAnsweredOrIsLost) {
    SurveyDesk desk;
    const uint64_t asked = desk.open({1, 2, 3});
    desk.take({1, asked, {{0, 100, 'R', 5, 6}}});
    desk.take({1, asked, {}});  // again, after a link broke
    desk.take({7, asked, {}});  // was not asked
    desk.lose(2);
    EXPECT_FALSE(desk.is_complete(asked));
    desk.take({3, asked, {}});
    EXPECT_TRUE(desk.is_complete(asked));
    const auto answers = desk.close(asked);
    ASSERT_EQ(answers.nodes.size(), 2U);
    EXPECT_EQ(answers.nodes[0].ranks.size(), 1U);
    EXPECT_TRUE(answers.silent.empty());
}

TEST(SurveyDesk, NamesWhoIsSilent) {
    SurveyDesk desk;
    const uint64_t first = desk.open({1, 2});
    const uint64_t second = desk.open({1});
    desk.take({1, second, {}});
    EXPECT_TRUE(desk.is_complete(second));
    EXPECT_FALSE(desk.is_complete(first));
    EXPECT_EQ(desk.close(first).silent, (std::vector<NodeIndex>{1, 2}));
    desk.take({2, first, {}});  // too late
    EXPECT_TRUE(desk.close(first).nodes.empty());
}

}  // namespace
}  // namespace launch
