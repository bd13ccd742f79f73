// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "cmd/guide/print.hpp"

namespace launch::guide {
namespace {

std::string shown(const std::string& body, bool colour = false) {
    const auto document = read_document("# name: summary\n" + body);
    EXPECT_TRUE(document) << describe(document.error());
    return document ? terminal_text(*document, colour) : "";
}

TEST(Terminal, EachBlock) {
    EXPECT_EQ(shown("Some `words`.\n\n## Head\n\n- one\n- two\n\n```sh\na  b\n\nc\n```\n"),
              "name: summary\n"
              "\n"
              "  Some words.\n"
              "\n"
              "Head\n"
              "  - one\n"
              "  - two\n"
              "\n"
              "    a  b\n"
              "\n"
              "    c\n");
}

TEST(Terminal, TablesHaveTwoColumns) {
    EXPECT_EQ(shown("| a | b |\n| --- | --- |\n| `long one` | c |\n"
                    "| `a first cell that is too wide` | d |\n"),
              "name: summary\n"
              "\n"
              "  a                           b\n"
              "  long one                    c\n"
              "  a first cell that is too wide\n"
              "                              d\n");
}

TEST(Terminal, EntriesStandUnderTheirTerm) {
    const Document document{"n", "s", {Entries{{{"-n N", {{Style::plain, "ranks"}}}}}}};
    EXPECT_EQ(terminal_text(document, false), "n: s\n\n  -n N\n      ranks\n");
}

TEST(Terminal, LinesEndAtEightyColumnsAndNotWithinCode) {
    std::string body;
    for (int i = 0; i < 40; ++i)
        body += "word `two words` ";
    const auto text =
        shown(body + "\n\n- " + body + "\n\n| a | b |\n| --- | --- |\n| c | " + body + " |");
    size_t begin = 0;
    for (size_t end = text.find('\n'); end != text.npos; end = text.find('\n', begin)) {
        const auto line = text.substr(begin, end - begin);
        EXPECT_LE(line.size(), 80U) << line;
        EXPECT_FALSE(line.ends_with(" two")) << line;
        begin = end + 1;
    }
}

TEST(Terminal, CodeThatIsWiderThanTheLineIsParted) {
    const auto text = shown("`" + std::string(50, 'a') + " " + std::string(50, 'b') + "`");
    EXPECT_EQ(text,
              "name: summary\n\n  " + std::string(50, 'a') + "\n  " + std::string(50, 'b') + "\n");
}

TEST(Terminal, OnlyHeadingsAreBoldAndOnlyInColour) {
    EXPECT_EQ(shown("## Head\n\n**bold** `code`", true),
              "\033[1mname: summary\033[0m\n\n\033[1mHead\033[0m\n  bold code\n");
    EXPECT_EQ(shown("## Head\n\n**bold** `code`").find('\033'), std::string::npos);
}

}  // namespace
}  // namespace launch::guide
