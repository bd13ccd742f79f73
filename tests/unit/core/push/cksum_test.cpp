// SPDX-License-Identifier: MIT
#include "core/push/cksum.hpp"

#include <gtest/gtest.h>
#include <string>

namespace launch {
namespace {

uint32_t cksum_of(const std::string& text) {
    Cksum sum;
    sum.add(text);
    return sum.value();
}

/// As GNU's cksum says.
TEST(Cksum, is_that_of_the_command) {
    EXPECT_EQ(cksum_of(""), 4294967295u);
    EXPECT_EQ(cksum_of("123456789"), 930766865u);
    EXPECT_EQ(cksum_of(std::string(100'000, '\xff')), 2'554'837'191u);
}

TEST(Cksum, takes_bytes_in_parts) {
    Cksum sum;
    for (const char* part : {"12", "", "3456", "789"})
        sum.add(std::string_view(part));
    EXPECT_EQ(sum.value(), cksum_of("123456789"));
}

}  // namespace
}  // namespace launch
