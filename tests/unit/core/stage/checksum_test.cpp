// SPDX-License-Identifier: MIT
#include "core/stage/checksum.hpp"

#include <gtest/gtest.h>
#include <string>

namespace launch {
namespace {

uint64_t checksum_of(std::string_view bytes) {
    Checksum checksum;
    checksum.add(bytes);
    return checksum.value();
}

/// As `xxhsum -H64` prints them.
TEST(Checksum, IsXxh64) {
    struct {
        const char* row;
        std::string bytes;
        uint64_t sum;
    } rows[] = {
        {"nothing", "", 0xef46db3751d8e999},
        {"a letter", "a", 0xd24ec4f1a98c6e5b},
        {"three", "abc", 0x44bc2cf5ad770999},
        {"more than a stripe", "The quick brown fox jumps over the lazy dog", 0x0b242d361fda71bc},
        {"zeros", std::string(100, '\0'), 0x17bb1103c92c502f},
        {"a stripe", std::string(32, 'x'), 0xe2df261fc2ec30eb},
    };
    for (const auto& row : rows)
        EXPECT_EQ(checksum_of(row.bytes), row.sum) << row.row;
}

TEST(Checksum, DoesNotDependOnHowBytesCome) {
    std::string bytes;
    for (int i = 0; i < 1000; ++i)
        bytes.push_back(static_cast<char>(i * 37));
    const uint64_t whole = checksum_of(bytes);
    for (const size_t step : {1u, 7u, 31u, 32u, 33u, 64u, 999u}) {
        Checksum checksum;
        for (size_t at = 0; at < bytes.size(); at += step)
            checksum.add(std::string_view(bytes).substr(at, step));
        EXPECT_EQ(checksum.value(), whole) << step;
    }
}

}  // namespace
}  // namespace launch
