// SPDX-License-Identifier: MIT
#include "core/base/codec.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(Codec, numbers_come_back) {
    for (const uint64_t value : {uint64_t{0}, uint64_t{1}, uint64_t{127}, uint64_t{128},
                                 uint64_t{300}, uint64_t{1} << 32, UINT64_MAX}) {
        const std::string bytes = Encoder{}.number(value).take();
        Decoder in(bytes);
        EXPECT_EQ(in.number(), value);
        EXPECT_TRUE(in.done()) << value;
    }
}

TEST(Codec, faults_are_seen_and_stay) {
    struct Row {
        const char* name;
        std::string bytes;
    };
    const Row rows[] = {
        {"nothing", ""},
        {"unfinished number", "\xff\xff"},
        {"a number over 64 bits", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"},
        {"a text longer than the input",
         "\x05"
         "abc"},
        {"a text of almost 2^64 bytes",
         "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
         "abc"},
    };
    for (const auto& row : rows) {
        Decoder in(row.bytes);
        EXPECT_EQ(in.text(), "") << row.name;
        EXPECT_FALSE(in.ok()) << row.name;
        EXPECT_EQ(in.number(), 0u) << row.name;
        EXPECT_EQ(in.rest(), "") << row.name;
    }
}

TEST(Codec, a_count_cannot_announce_more_than_there_is) {
    const std::string bytes = Encoder{}.number(1'000'000'000).number(1).take();
    Decoder in(bytes);
    EXPECT_TRUE(in.texts().empty());
    EXPECT_FALSE(in.ok());
}

TEST(Codec, a_32_bit_number_is_checked) {
    const std::string bytes = Encoder{}.number(uint64_t{1} << 32).take();
    Decoder in(bytes);
    EXPECT_EQ(in.number32(), 0u);
    EXPECT_FALSE(in.ok());
}

}  // namespace
}  // namespace launch
