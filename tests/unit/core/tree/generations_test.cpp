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

}  // namespace
}  // namespace launch
