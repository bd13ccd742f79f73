// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "cmd/render/text_parts.hpp"

namespace launch {
namespace {

TEST(SizeText, has_the_largest_unit_and_two_digits) {
    constexpr uint64_t kib = 1024;
    constexpr uint64_t mib = 1024 * kib;
    struct {
        uint64_t bytes;
        const char* text;
    } rows[] = {{0, "0 B"},
                {1023, "1023 B"},
                {kib, "1 KiB"},
                {1536, "1.5 KiB"},
                {1023 * kib, "1023 KiB"},
                {5 * mib, "5 MiB"},
                {5 * mib - 1, "4.9 MiB"},
                {10 * mib + mib / 2, "10 MiB"},
                {100 * kib * mib, "100 GiB"},
                {3 * mib * mib, "3 TiB"},
                {UINT64_MAX, "16777215 TiB"}};
    for (const auto& row : rows)
        EXPECT_EQ(size_text(row.bytes), row.text);
}

}  // namespace
}  // namespace launch
