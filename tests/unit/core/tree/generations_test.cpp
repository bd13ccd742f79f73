#include "core/tree/generations.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(Generations, TheLatestStartCounts) {
    Generations generations;
    EXPECT_EQ(generations.least(3), 0U);
    generations.raise({3, 4}, 1);
    generations.raise({5, 1}, 2);
    generations.raise({5, 2}, 1);  // told late
    EXPECT_EQ(generations.least(2), 0U);
    EXPECT_EQ(generations.least(3), 1U);
    EXPECT_EQ(generations.least(5), 2U);
    EXPECT_EQ(generations.least(6), 1U);
    EXPECT_EQ(generations.least(7), 0U);
}

TEST(Generations, WhoIsStartedInThePlaceOfOthersIsLaterThanAll) {
    Generations generations;
    EXPECT_EQ(generations.greatest({{0, 9}}), 0U);
    generations.raise({3, 2}, 1);
    generations.raise({4, 1}, 2);
    EXPECT_EQ(generations.greatest({{0, 3}}), 0U);
    EXPECT_EQ(generations.greatest({{0, 4}}), 1U);
    EXPECT_EQ(generations.greatest({{0, 1}, {4, 4}}), 2U);
    EXPECT_EQ(generations.greatest({{5, 4}}), 0U);
}

TEST(Generations, ThoseOfALaterGenerationAreLeftOut) {
    using Ranges = std::vector<NodeRange>;
    Generations generations;
    generations.raise({3, 2}, 1);
    generations.raise({4, 1}, 2);
    EXPECT_EQ(generations.up_to({1, 6}, 0), (Ranges{{1, 2}, {5, 2}}));
    EXPECT_EQ(generations.up_to({1, 6}, 1), (Ranges{{1, 3}, {5, 2}}));
    EXPECT_EQ(generations.up_to({1, 6}, 2), (Ranges{{1, 6}}));
    EXPECT_EQ(generations.up_to({3, 2}, 0), Ranges{});
}

}  // namespace
}  // namespace launch
