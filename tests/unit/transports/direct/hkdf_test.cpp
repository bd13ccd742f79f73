// SPDX-License-Identifier: MIT
#include "transports/direct/hkdf.hpp"

#include <gtest/gtest.h>

#include "core/base/hex.hpp"

namespace launch {
namespace {

std::string run_of(int first, int last) {
    std::string bytes;
    for (int byte = first; byte <= last; ++byte)
        bytes.push_back(static_cast<char>(byte));
    return bytes;
}

/// Test cases 1 to 3 of RFC 5869, appendix A.
TEST(Hkdf, is_that_of_rfc_5869) {
    struct Row {
        const char* row;
        HkdfInput input;
        const char* output;
    };
    const Row rows[] = {
        {"basic",
         {std::string(22, '\x0b'), run_of(0x00, 0x0c), run_of(0xf0, 0xf9)},
         "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"},
        {"longer",
         {run_of(0x00, 0x4f), run_of(0x60, 0xaf), run_of(0xb0, 0xff)},
         "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65"
         "e59"
         "0e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"},
        {"neither salt nor info",
         {std::string(22, '\x0b'), {}, {}},
         "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"},
    };
    for (const Row& row : rows) {
        const auto made = hkdf(row.input, std::string_view(row.output).size() / 2);
        ASSERT_TRUE(made) << row.row;
        EXPECT_EQ(hex_bytes(*made), row.output) << row.row;
    }
}

TEST(Hkdf, makes_nothing_of_nothing) {
    EXPECT_FALSE(hkdf({{}, "salt", "info"}, 32));
}

}  // namespace
}  // namespace launch
