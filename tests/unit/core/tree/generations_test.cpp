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

}  // namespace
}  // namespace launch
