// SPDX-License-Identifier: MIT
#include "core/base/hex.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(Hex, OfBytesAndNumbers) {
    EXPECT_EQ(hex_byte('\0'), "00");
    EXPECT_EQ(hex_byte('\xfe'), "fe");
    EXPECT_EQ(hex_bytes(std::string_view("\x01\0\xab", 3)), "0100ab");
    EXPECT_EQ(hex_bytes(""), "");
    EXPECT_EQ(hex_number(0), "0");
    EXPECT_EQ(hex_number(0x1f), "1f");
    EXPECT_EQ(hex_number(UINT64_MAX), "ffffffffffffffff");
}

}  // namespace
}  // namespace launch
