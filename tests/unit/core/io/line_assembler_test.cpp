// SPDX-License-Identifier: MIT
#include "core/io/line_assembler.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(LineAssembler, tells_what_may_be_shown) {
    struct Row {
        const char* name;
        const char* label;
        bool whole_lines;
        std::vector<std::string> input;
        std::string shown;     ///< before the end
        std::string finished;  ///< in all
    };
    const Row rows[] = {
        {"one rank: bytes as they come", "", false, {"a", "b\n", "c"}, "ab\nc", "ab\nc"},
        {"whole lines only", "", true, {"a", "b\nc"}, "ab\n", "ab\nc"},
        {"binary stays",
         "",
         true,
         {std::string("\0\xff\n", 3)},
         std::string("\0\xff\n", 3),
         std::string("\0\xff\n", 3)},
        {"labels",
         "[3] ",
         true,
         {"a\nb\n\nc"},
         "[3] a\n[3] b\n[3] \n",
         "[3] a\n[3] b\n[3] \n[3] c\n"},
        {"a label once a line", "[3] ", true, {"a", "b", "\n"}, "[3] ab\n", "[3] ab\n"},
        {"a label makes whole lines", "> ", false, {"a"}, "", "> a\n"},
        {"nothing", "> ", true, {}, "", ""},
    };
    for (const auto& row : rows) {
        LineAssembler lines(LineLabel(row.label), row.whole_lines);
        std::string out;
        for (const auto& bytes : row.input)
            lines.feed(bytes, out);
        EXPECT_EQ(out, row.shown) << row.name;
        lines.finish(out);
        EXPECT_EQ(out, row.finished) << row.name;
    }
}

TEST(LineAssembler, a_line_beyond_the_limit_is_cut_with_one_label) {
    LineAssembler lines(LineLabel("> "), true);
    std::string out;
    const std::string block(max_line, 'x');
    lines.feed(block, out);
    EXPECT_EQ(out, "");
    lines.feed("y", out);
    lines.feed("z\n", out);
    EXPECT_EQ(out, "> " + block + "yz\n");
}

TEST(LineAssembler, a_part_that_is_shown_goes_on_in_its_line) {
    for (const auto& [label, whole] :
         {std::pair("> ", "> a\n> Enter: b\n> c\n"), std::pair("", "a\nEnter: b\nc\n")}) {
        LineAssembler lines(LineLabel(label), true);
        std::string out;
        EXPECT_FALSE(lines.has_part());
        lines.feed("a\nEnter: ", out);
        EXPECT_TRUE(lines.has_part());
        lines.show_part(out);
        EXPECT_FALSE(lines.has_part());
        lines.feed("b\nc\n", out);
        EXPECT_FALSE(lines.has_part());
        EXPECT_EQ(out, whole);
    }
}

TEST(CutAtLine, prefers_the_end_of_a_line) {
    EXPECT_EQ(cut_at_line("abc", 10), "abc");
    EXPECT_EQ(cut_at_line("a\nb\nc", 4), "a\nb\n");
    EXPECT_EQ(cut_at_line("a\nb\nc", 3), "a\n");
    EXPECT_EQ(cut_at_line("abcdef", 3), "abc");
}

}  // namespace
}  // namespace launch
