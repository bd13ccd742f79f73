// SPDX-License-Identifier: MIT
#include "core/base/lower.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(Lower, OfPlainLettersOnly) {
    EXPECT_EQ(lower("Node-AZ.09@[`{"), "node-az.09@[`{");
    EXPECT_EQ(lower("\xC4\xD6"), "\xC4\xD6");
}

}  // namespace
}  // namespace launch
