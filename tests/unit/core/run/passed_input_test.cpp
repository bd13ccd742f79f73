// SPDX-License-Identifier: MIT
#include "core/run/passed_input.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

/// What a node hears, one piece after another, and what of it is new to it.
struct Heard {
    const char* name;
    std::vector<InputPiece> before;
    InputPiece piece;
    std::optional<std::string> fresh;  ///< nothing: it misses what comes before it
    uint64_t had;
};

const InputPiece end_at_four{4, {}};

TEST(PassedInput, each_byte_comes_once_and_in_order) {
    const std::vector<Heard> all = {
        {"the first", {}, {0, "abcd"}, "abcd", 4},
        {"the next", {{0, "abcd"}}, {4, "ef"}, "ef", 6},
        {"one that came", {{0, "abcd"}}, {0, "abcd"}, "", 4},
        {"a part of one that came", {{0, "abcd"}}, {1, "b"}, "", 4},
        {"one that goes on", {{0, "abcd"}}, {2, "cdef"}, "ef", 6},
        {"one too early", {{0, "abcd"}}, {5, "f"}, std::nullopt, 4},
        {"an end too early", {{0, "abcd"}}, {5, {}}, std::nullopt, 4},
        {"the end", {{0, "abcd"}}, end_at_four, "", 4},
        {"more after the end", {{0, "abcd"}, end_at_four}, {4, "ef"}, "", 4},
    };
    for (const Heard& each : all) {
        PassedInput passed;
        for (const InputPiece& piece : each.before)
            ASSERT_TRUE(passed.take(piece)) << each.name;
        const auto taken = passed.take(each.piece);
        EXPECT_EQ(taken.has_value(), each.fresh.has_value()) << each.name;
        EXPECT_EQ(taken ? taken->piece.bytes : "", each.fresh.value_or("")) << each.name;
        EXPECT_EQ(passed.had(), each.had) << each.name;
    }
}

TEST(PassedInput, the_end_comes_once) {
    PassedInput passed;
    ASSERT_TRUE(passed.take({0, "abcd"}));
    EXPECT_TRUE(passed.take(end_at_four)->fresh);
    EXPECT_FALSE(passed.take(end_at_four)->fresh);
    EXPECT_FALSE(passed.take({0, "abcd"})->fresh);
}

std::string text_from(const PassedInput& passed, uint64_t offset) {
    const auto pieces = passed.from(offset);
    if (!pieces) return "not here any more";
    std::string text;
    for (const InputPiece& piece : *pieces)
        text += std::to_string(piece.offset) + ":" + std::string(piece.bytes) + " ";
    return text;
}

TEST(PassedInput, who_comes_later_is_given_what_it_has_not_had) {
    PassedInput passed;
    ASSERT_TRUE(passed.take({0, "abcd"}));
    ASSERT_TRUE(passed.take({4, "ef"}));
    EXPECT_EQ(text_from(passed, 0), "0:abcd 4:ef ");
    EXPECT_EQ(text_from(passed, 3), "0:abcd 4:ef ");
    EXPECT_EQ(text_from(passed, 4), "4:ef ");
    EXPECT_EQ(text_from(passed, 6), "");
    EXPECT_EQ(text_from(passed, 9), "") << "it has had more than this node";
    ASSERT_TRUE(passed.take({6, {}}));
    EXPECT_EQ(text_from(passed, 6), "6: ") << "the end is kept for all";
}

TEST(PassedInput, what_all_have_had_is_forgotten) {
    PassedInput passed;
    ASSERT_TRUE(passed.take({0, "abcd"}));
    ASSERT_TRUE(passed.take({4, "ef"}));
    passed.forget(3);
    EXPECT_EQ(passed.kept(), 6U);
    passed.forget(4);
    EXPECT_EQ(passed.kept(), 2U);
    EXPECT_EQ(text_from(passed, 3), "not here any more");
    EXPECT_EQ(text_from(passed, 4), "4:ef ");
    passed.forget(UINT64_MAX);
    EXPECT_EQ(passed.kept(), 0U);
    EXPECT_EQ(passed.had(), 6U);
    EXPECT_EQ(text_from(passed, 6), "");
}

}  // namespace
}  // namespace launch
