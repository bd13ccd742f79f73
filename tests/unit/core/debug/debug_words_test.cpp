// SPDX-License-Identifier: MIT
#include "core/debug/debug_words.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(DebugRecord, comes_back_as_it_was) {
    for (const std::string text : {"", "plain", "two\nlines\n", "back\\slash\\n", "\x01\xff"}) {
        const DebugRecord record{DebugRecord::Kind::out, text};
        const std::string line = record.encode();
        ASSERT_EQ(line.find('\n'), line.size() - 1);
        EXPECT_EQ(DebugRecord::decode(line.substr(0, line.size() - 1)), record);
    }
    EXPECT_EQ(DebugRecord::decode(""), std::nullopt);
    EXPECT_EQ(DebugRecord::decode("xtext"), std::nullopt);
}

TEST(DebugOrder, is_for_the_ranks_that_it_names) {
    const DebugOrder order{DebugOrder::Kind::type, "0-2,7", "print \"a\\n\""};
    const std::string line = order.encode();
    const auto read = DebugOrder::decode(line.substr(0, line.size() - 1));
    ASSERT_EQ(read, order);
    for (const uint32_t rank : {0U, 2U, 7U})
        EXPECT_TRUE(read->is_for(rank));
    for (const uint32_t rank : {3U, 6U, 8U})
        EXPECT_FALSE(read->is_for(rank));
    EXPECT_EQ(DebugOrder::decode(""), std::nullopt);
    EXPECT_EQ(DebugOrder::decode("t0"), std::nullopt);
    EXPECT_EQ(DebugOrder::decode("x0 run"), std::nullopt);
    EXPECT_FALSE(DebugOrder::decode("tmany run")->is_for(0));
}

TEST(LineSplitter, keeps_what_has_no_end) {
    LineSplitter lines;
    std::vector<std::string> taken;
    for (const char* piece : {"a\nb", "c\n", "\n", "rest"})
        lines.feed(piece, [&](std::string_view line) { taken.emplace_back(line); });
    EXPECT_EQ(taken, (std::vector<std::string>{"a", "bc", ""}));
    EXPECT_EQ(lines.rest(), "rest");
    EXPECT_EQ(lines.take_rest(), "rest");
    EXPECT_EQ(lines.rest(), "");
}

}  // namespace
}  // namespace launch
