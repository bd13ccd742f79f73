// SPDX-License-Identifier: MIT
#include "transports/ssh/base64.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(Base64, Decodes) {
    EXPECT_EQ(base64_decode("Zm9vYmFy"), "foobar");
    EXPECT_EQ(base64_decode("Zm9vYg=="), "foob");
    EXPECT_EQ(base64_decode("Zm9vYmE="), "fooba");
    EXPECT_EQ(base64_decode(""), "");
    EXPECT_EQ(base64_decode("Zm9*"), "");
}

TEST(Base64, TakesWhatItGives) {
    EXPECT_EQ(base64_encode("foobar"), "Zm9vYmFy");
    EXPECT_EQ(base64_encode("foob"), "Zm9vYg==");
    EXPECT_EQ(base64_encode("fooba"), "Zm9vYmE=");
    EXPECT_EQ(base64_encode(""), "");
    std::string bytes;
    for (int i = 0; i < 256; ++i)
        bytes += static_cast<char>(i);
    EXPECT_EQ(base64_decode(base64_encode(bytes)), bytes);
}

}  // namespace
}  // namespace launch
