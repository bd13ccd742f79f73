// SPDX-License-Identifier: MIT
#include "core/wire/callback_message.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(CallbackMessage, IsOneLineAndReadsAsWritten) {
    const CallbackMessage message{
        "j1", std::string("\0\n\xff", 3), {{0, "10.0.0.1", 5000}, {0, "fd00::1", 1}}, {"a", "b.c"}};
    const std::string line = message.encode();
    EXPECT_EQ(line.find_first_not_of("0123456789abcdef"), std::string::npos);
    EXPECT_EQ(CallbackMessage::decode(line), message);
}

TEST(CallbackMessage, AnythingElseIsNone) {
    const std::string line = CallbackMessage{"j1", "key", {{0, "10.0.0.1", 5000}}, {"a"}}.encode();
    EXPECT_FALSE(CallbackMessage::decode(""));
    EXPECT_FALSE(CallbackMessage::decode(line + "\r"));
    EXPECT_FALSE(CallbackMessage::decode(line + "00"));
    for (size_t n = 0; n < line.size(); ++n)
        EXPECT_FALSE(CallbackMessage::decode(line.substr(0, n))) << n;
}

TEST(OwnPlace, IsThatOfTheSurestName) {
    struct Row {
        std::vector<std::string> hosts;
        std::vector<std::string> names;
        std::optional<size_t> place;
    };
    const std::vector<Row> rows{
        {{"a", "b"}, {"", "b"}, 1},
        {{"a", "b"}, {"a", "b"}, 0},
        {{"a", "b"}, {"c"}, std::nullopt},
        {{"a", "b"}, {"", ""}, std::nullopt},
        {{"a.x", "b.x"}, {"", "b"}, 1},
        {{"a", "b"}, {"", "b.x.org"}, 1},
        {{"b.x", "b.y"}, {"b"}, std::nullopt},
        {{"b.x", "b"}, {"b"}, 1},
        {{"a", "b"}, {"no.such", "b"}, 1},
    };
    for (const Row& row : rows)
        EXPECT_EQ(own_place(row.hosts, row.names), row.place) << row.names.front();
}

}  // namespace
}  // namespace launch
