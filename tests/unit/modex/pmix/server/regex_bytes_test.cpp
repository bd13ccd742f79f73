// SPDX-License-Identifier: MIT
#include "modex/pmix/server/regex_bytes.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

using namespace std::string_literals;

TEST(RegexBytes, TextEndsWithItsNul) {
    EXPECT_EQ(regex_bytes("pmix[n[3:1-16]]\0never seen"), "pmix[n[3:1-16]]");
    EXPECT_EQ(regex_bytes(""), "");
}

TEST(RegexBytes, ABlobHasNulsInIt) {
    const std::string made = "blob:\0component=zlib:\0size=7:\0x\0y\0\0zz"s;
    EXPECT_EQ(regex_bytes((made + '\0').c_str()), made);
}

TEST(RegexBytes, WhatIsNoBlobIsText) {
    EXPECT_EQ(regex_bytes("blob:\0else\0size=7:\0xxxxxxx"), "blob:");
    const std::string odd = "blob:\0component=zlib:\0size=-1:\0"s;
    EXPECT_EQ(regex_bytes((odd + '\0').c_str()), odd);
    const std::string huge = "blob:\0component=zlib:\0size=99999999999:\0"s;
    EXPECT_EQ(regex_bytes((huge + '\0').c_str()), huge);
}

}  // namespace
}  // namespace launch
