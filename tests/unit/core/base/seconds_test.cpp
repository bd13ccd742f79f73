// SPDX-License-Identifier: MIT
#include "core/base/seconds.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

using std::chrono::milliseconds;

TEST(Seconds, AreWordedWithoutNeedlessDigits) {
    EXPECT_EQ(in_seconds(milliseconds(0)), "0 s");
    EXPECT_EQ(in_seconds(milliseconds(10'000)), "10 s");
    EXPECT_EQ(in_seconds(milliseconds(1500)), "1.5 s");
    EXPECT_EQ(in_seconds(milliseconds(1050)), "1.05 s");
    EXPECT_EQ(in_seconds(milliseconds(7)), "0.007 s");
    EXPECT_EQ(in_seconds(milliseconds(31'536'000'000)), "31536000 s");
}

}  // namespace
}  // namespace launch
