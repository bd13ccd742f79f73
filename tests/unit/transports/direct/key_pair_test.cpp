// SPDX-License-Identifier: MIT
#include "transports/direct/key_pair.hpp"

#include <gtest/gtest.h>

#include "core/base/hex.hpp"
#include "core/base/random.hpp"
#include "core/wire/contact.hpp"

namespace launch {
namespace {

std::string bytes_of(const std::string& hex) {
    std::string bytes;
    for (size_t i = 0; i < hex.size(); i += 2)
        bytes.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    return bytes;
}

/// The example of RFC 7748, section 6.1.
TEST(KeyPair, is_that_of_rfc_7748) {
    const auto alice =
        KeyPair::make(bytes_of("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"));
    const auto bob =
        KeyPair::make(bytes_of("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"));
    ASSERT_TRUE(alice && bob);
    EXPECT_EQ(hex_bytes(alice->public_key()),
              "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a");
    EXPECT_EQ(hex_bytes(bob->public_key()),
              "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f");
    const auto shared = alice->shared_with(bob->public_key());
    ASSERT_TRUE(shared);
    EXPECT_EQ(hex_bytes(*shared),
              "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742");
    EXPECT_EQ(bob->shared_with(alice->public_key()), shared);
}

TEST(KeyPair, nothing_is_shared_with_what_is_no_key) {
    const auto pair = KeyPair::make(random_bytes(public_key_size));
    ASSERT_TRUE(pair);
    for (const size_t size : {size_t{0}, public_key_size - 1, public_key_size + 1})
        EXPECT_FALSE(pair->shared_with(std::string(size, 'x'))) << size;
    // Points of small order: whoever has what key, they have zeros in common.
    EXPECT_FALSE(pair->shared_with(std::string(public_key_size, '\0')));
    EXPECT_FALSE(pair->shared_with('\1' + std::string(public_key_size - 1, '\0')));
    EXPECT_FALSE(KeyPair::make("short"));
}

}  // namespace
}  // namespace launch
