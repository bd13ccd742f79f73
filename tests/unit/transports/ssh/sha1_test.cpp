// SPDX-License-Identifier: MIT
#include "transports/ssh/sha1.hpp"

#include <gtest/gtest.h>
#include <string>

#include "core/base/hex.hpp"

namespace launch {
namespace {

std::string hex(const std::array<uint8_t, 20>& digest) {
    return hex_bytes({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

struct Row {
    const char* name;
    std::string key;
    std::string text;
    const char* digest;
};

TEST(HmacSha1, AgreesWithRfc2202) {
    const Row rows[] = {
        {"1", std::string(20, '\x0b'), "Hi There", "b617318655057264e28bc0b6fb378c8ef146be00"},
        {"2", "Jefe", "what do ya want for nothing?", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"},
        {"3", std::string(20, '\xaa'), std::string(50, '\xdd'),
         "125d7342b9ac11cd91a39af48aa17b4f63f175d3"},
        {"6", std::string(80, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First",
         "aa4ae5e15272d00e95705637ce8a3b55ed402112"},
        {"7", std::string(80, '\xaa'),
         "Test Using Larger Than Block-Size Key and Larger Than One Block-Size Data",
         "e8e99d0f45237d786d6bbaa7965c7808bbff1a91"},
    };
    for (const auto& row : rows)
        EXPECT_EQ(hex(hmac_sha1(row.key, row.text)), row.digest) << row.name;
}

}  // namespace
}  // namespace launch
