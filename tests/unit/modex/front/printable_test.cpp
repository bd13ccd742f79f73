// SPDX-License-Identifier: MIT
#include "modex/front/printable.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(Printable, is_one_line_no_terminal_acts_upon) {
    const auto bytes = [](size_t count, char byte) { return std::string(count, byte); };
    struct {
        const char* name;
        std::string bytes;
        size_t limit;
        std::string text;
    } rows[] = {
        {"a line", "a b=c\n", 10, "a b=c\\n"},
        {"what a terminal obeys", "\x1b[31m\\\xff", 20, "\\x1b[31m\\\\\\xff"},
        {"as much as is allowed", "abcdef", 6, "abcdef"},
        {"more than that", "abcdef", 5, "abcde..."},
        {"counted as it is shown", bytes(2, '\0'), 7, "\\x00..."},
        {"few of the same", bytes(3, '\0'), 60, "\\x00\\x00\\x00"},
        {"many of the same", bytes(64, '\0'), 60, "\\x00(64 times)"},
        {"many among others", "a" + bytes(5000, '\xff') + "\n\n\n\nb", 60,
         "a\\xff(5000 times)\\n(4 times)b"},
        {"no room for the number", bytes(64, '\0'), 13, "..."},
        {"letters are as they are", bytes(64, 'x'), 60, bytes(60, 'x') + "..."},
    };
    for (const auto& row : rows)
        EXPECT_EQ(printable(row.bytes, row.limit), row.text) << row.name;
}

TEST(Printable, a_trace_tells_the_direction) {
    EXPECT_EQ(to_trace(true, "cmd=get_maxes\n"), "-> cmd=get_maxes\\n");
    EXPECT_EQ(to_trace(false, "cmd=barrier_out\n"), "<- cmd=barrier_out\\n");
    EXPECT_EQ(to_trace(true, std::string(1000, 'x')), "-> " + std::string(200, 'x') + "...");
}

}  // namespace
}  // namespace launch
