// SPDX-License-Identifier: MIT
#include "core/wire/input_messages.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(InputMessages, come_back_as_they_were) {
    const auto bytes = InputPiece{300, "some"}.encode();
    const auto piece = InputPiece::decode(bytes);
    ASSERT_TRUE(piece);
    EXPECT_EQ(piece->offset, 300U);
    EXPECT_EQ(piece->bytes, "some");
    EXPECT_EQ(piece->end(), 304U);
    const InputGrant grant{7, 300};
    EXPECT_EQ(InputGrant::decode(grant.encode()), grant);
}

TEST(InputMessages, the_end_is_an_empty_piece) {
    const auto bytes = InputPiece{9, {}}.encode();
    const auto end = InputPiece::decode(bytes);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->offset, 9U);
    EXPECT_TRUE(end->bytes.empty());
}

TEST(InputMessages, what_cannot_be_is_refused) {
    EXPECT_FALSE(InputPiece::decode({}));
    const auto past_all_numbers = InputPiece{UINT64_MAX, "xy"}.encode();
    EXPECT_FALSE(InputPiece::decode(past_all_numbers));
    EXPECT_FALSE(InputGrant::decode({}));
    const auto more_than_granted = InputGrant{8, 7}.encode();
    EXPECT_FALSE(InputGrant::decode(more_than_granted));
    const auto too_long = InputGrant{1, 2}.encode() + "x";
    EXPECT_FALSE(InputGrant::decode(too_long));
}

}  // namespace
}  // namespace launch
