// SPDX-License-Identifier: MIT
#include "core/base/number_text.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(NumberText, IsReadWholeOrNotAtAll) {
    EXPECT_EQ(parse_number<uint16_t>("65535"), 65535);
    EXPECT_EQ(parse_number<int32_t>("-7"), -7);
    for (const char* text : {"", " 1", "1 ", "1x", "+1", "-1", "65536", "0x1"})
        EXPECT_EQ(parse_number<uint16_t>(text), std::nullopt) << text;
}

TEST(NumberText, OfDigits) {
    EXPECT_TRUE(all_digits("0123456789"));
    for (const char* text : {"", "-1", "1 ", "1a"})
        EXPECT_FALSE(all_digits(text)) << text;
}

TEST(NumberText, IsWritten) {
    std::string text = "n=";
    append_number(text, INT64_MIN);
    EXPECT_EQ(text, "n=-9223372036854775808");
}

}  // namespace
}  // namespace launch
