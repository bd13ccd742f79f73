// SPDX-License-Identifier: MIT
#include "cmd/guide/directives.hpp"

#include <gtest/gtest.h>

namespace launch::guide {
namespace {

/// Two options that there are not.
constexpr OptionRow ask{.group = OptionGroup::program,
                        .names = "-a -b --ask",
                        .metavar = "N",
                        .value = {.kind = Kind::number},
                        .help = "a number",
                        .manual = "A `number`."};
constexpr OptionRow switch_{
    .group = OptionGroup::look, .names = "--flag", .metavar = "", .help = "a flag"};
constexpr std::array<const OptionRow*, 2> options{&ask, &switch_};

Known known() {
    return {options,
            {{Text{{Style::code, "hosts"}}, Text{{Style::plain, "about hosts"}}},
             {Text{{Style::code, "trees"}}, Text{{Style::plain, "about trees"}}}}};
}

std::vector<Block> meaning_of(const Directive& directive) {
    const auto document = expand({"n", "s", {directive}}, known());
    EXPECT_TRUE(document) << describe(document.error());
    return document ? document->blocks : std::vector<Block>{};
}

const Text number{{Style::plain, "a number"}};
const Text manual{{Style::plain, "A "}, {Style::code, "number"}, {Style::plain, "."}};
const Text flag{{Style::plain, "a flag"}};

TEST(Directives, OptionsInFull) {
    const std::vector<Block> expected{Entries{{{"--flag", flag}, {"-a, -b, --ask N", manual}}}};
    EXPECT_TRUE(meaning_of({"options", {"--flag", "-b"}}) == expected);
}

TEST(Directives, OptionsOnALine) {
    const Table::Row two{Text{{Style::code, "-a, --ask N"}}, number};
    const Table::Row all{Text{{Style::code, "-a, -b, --ask N"}}, number};
    EXPECT_TRUE(meaning_of({"brief", {"-a"}}) == (std::vector<Block>{Table{std::nullopt, {two}}}));
    EXPECT_TRUE(meaning_of({"list", {"-a"}}) == (std::vector<Block>{Table{std::nullopt, {all}}}));
}

TEST(Directives, AllOptionsHaveTheHeadingsOfTheirGroups) {
    const std::vector<Block> expected{Heading{std::string(title_of(OptionGroup::program)), true},
                                      Entries{{{"-a, -b, --ask N", manual}}},
                                      Heading{std::string(title_of(OptionGroup::look)), true},
                                      Entries{{{"--flag", flag}}}};
    EXPECT_TRUE(meaning_of({"options", {"all"}}) == expected);
}

TEST(Directives, Topics) {
    const Paragraph names{{{Style::code, "hosts"}, {Style::plain, ", "}, {Style::code, "trees"}}};
    EXPECT_TRUE(meaning_of({"topics", {}}) == std::vector<Block>{names});
    EXPECT_TRUE(meaning_of({"summaries", {}}) ==
                (std::vector<Block>{Table{std::nullopt, known().topics}}));
}

TEST(Directives, OtherBlocksStay) {
    const auto document =
        expand({"n", "s", {Heading{"a"}, Directive{"topics", {}}, Heading{"b"}}}, known());
    ASSERT_TRUE(document);
    ASSERT_EQ(document->blocks.size(), 3U);
    EXPECT_TRUE(document->blocks[0] == Block(Heading{"a"}));
    EXPECT_TRUE(document->blocks[2] == Block(Heading{"b"}));
}

TEST(Directives, WhatThereIsNotIsAnError) {
    EXPECT_EQ(expand({"n", "s", {Directive{"options", {"-z"}}}}, known()).error().cause,
              "@options: there is no option -z");
    EXPECT_EQ(expand({"n", "s", {Directive{"nothing", {}}}}, known()).error().cause,
              "@nothing: there is no such directive");
}

}  // namespace
}  // namespace launch::guide
