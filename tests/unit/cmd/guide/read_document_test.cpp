// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "cmd/guide/document.hpp"
#include "tests/unit/golden.hpp"

namespace launch::guide {
namespace {

Text plain_text(std::string words) {
    return {{Style::plain, std::move(words)}};
}

/// The blocks of a page with this body.
std::vector<Block> blocks_of(const std::string& body) {
    const auto document = read_document("# name: summary\n" + body);
    EXPECT_TRUE(document) << describe(document.error());
    return document ? document->blocks : std::vector<Block>{};
}

std::string fault_of(const std::string& page) {
    const auto document = read_document(page);
    return document ? "none" : document.error().cause;
}

TEST(ReadDocument, TitleIsNameAndSummary) {
    const auto document = read_document("# launch-hosts: naming hosts: how\n");
    ASSERT_TRUE(document);
    EXPECT_EQ(document->name, "launch-hosts");
    EXPECT_EQ(document->summary, "naming hosts: how");
    EXPECT_TRUE(document->blocks.empty());
}

TEST(ReadDocument, EachBlock) {
    struct {
        const char* body;
        Block block;
    } rows[] = {
        {"## Host files\n", Heading{"Host files"}},
        {"one\ntwo\n", Paragraph{plain_text("one two")}},
        {"- one\n  goes on\n- two", Bullets{{plain_text("one goes on"), plain_text("two")}}},
        {"```sh\n  a  b\n\n# c\n```\n", Verbatim{{"  a  b", "", "# c"}}},
        {"| a | b |\n| --- | --- |\n| c | `d|e` |\n",
         Table{Table::Row{plain_text("a"), plain_text("b")},
               {{plain_text("c"), Text{{Style::code, "d|e"}}}}}},
        {"@options -n  -ppn", Directive{"options", {"-n", "-ppn"}}},
        {"@options -n\n@options -ppn", Directive{"options", {"-n", "-ppn"}}},
        {"<!-- examples: run -->\ntext", Paragraph{plain_text("text")}},
    };
    for (const auto& row : rows) {
        const auto blocks = blocks_of(row.body);
        ASSERT_EQ(blocks.size(), 1U) << row.body;
        EXPECT_TRUE(blocks[0] == row.block) << row.body;
    }
}

TEST(ReadDocument, BlocksEndWhereOthersBegin) {
    const auto blocks = blocks_of("a\n- b\n## c\n```\nd\n```\ne\n@f\n@g\n");
    const std::vector<Block> expected{
        Paragraph{plain_text("a")}, Bullets{{plain_text("b")}}, Heading{"c"},      Verbatim{{"d"}},
        Paragraph{plain_text("e")}, Directive{"f", {}},         Directive{"g", {}}};
    EXPECT_TRUE(blocks == expected);
}

TEST(ReadDocument, StylesOfWords) {
    const auto text = read_text("give `-n 4` **once**, at 2 * 2");
    ASSERT_TRUE(text);
    const Text expected{{Style::plain, "give "},
                        {Style::code, "-n 4"},
                        {Style::plain, " "},
                        {Style::bold, "once"},
                        {Style::plain, ", at 2 * 2"}};
    EXPECT_EQ(*text, expected);
    EXPECT_TRUE(read_text("")->empty());
    EXPECT_EQ(*read_text("`a ** b`"), (Text{{Style::code, "a ** b"}}));
}

TEST(ReadDocument, WhatIsNotOfTheLanguageIsRefused) {
    struct {
        const char* body;
        const char* place;
    } rows[] = {
        {"### deep", "line 2: "},
        {"a\n* b", "line 3: "},
        {"1. a", "line 2: "},
        {"> a", "line 2: "},
        {"    code", "line 2: "},
        {"a [link](there)", "line 2: "},
        {"a `b", "line 2: "},
        {"a **b", "line 2: "},
        {"a `` b", "line 2: "},
        {"```\na", "line 2: "},
        {"| a | b |\n| c | d |", "line 3: "},
        {"| a | |", "line 2: "},
        {"| a |", "line 2: "},
        {"@", "line 2: "},
        {"a\tb", "line 2: "},
        {"\xe2\x80\x93", "line 2: "},
    };
    for (const auto& row : rows)
        expect_told({row.place}, fault_of(std::string("# n: s\n") + row.body));
    expect_told({"line 0: "}, fault_of(""));
    expect_told({"line 1: "}, fault_of("# name"));
}

}  // namespace
}  // namespace launch::guide
