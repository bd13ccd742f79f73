// SPDX-License-Identifier: MIT
#include "core/base/random.hpp"

#include <gtest/gtest.h>
#include <set>

namespace launch {
namespace {

TEST(Random, is_as_long_as_asked_and_never_the_same) {
    EXPECT_EQ(random_bytes(0), "");
    EXPECT_EQ(random_bytes(1000).size(), 1000u);
    EXPECT_NE(random_bytes(16), random_bytes(16));
    std::set<uint32_t> numbers;
    for (int i = 0; i < 100; ++i)
        numbers.insert(random_number());
    EXPECT_GT(numbers.size(), 90u);
}

}  // namespace
}  // namespace launch
