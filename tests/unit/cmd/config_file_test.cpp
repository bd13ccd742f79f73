// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "cmd/job_word.hpp"
#include "cmd/options/scan.hpp"
#include "tests/unit/golden.hpp"

namespace launch {
namespace {

using Words = std::vector<std::string>;

TEST(ConfigFile, EachLineIsAProgram) {
    const auto words = words_of_lines("-n 1 a 'b c'\n# no\n\n  -n 2 d\r\n", "f");
    ASSERT_TRUE(words);
    EXPECT_EQ(words->words, (Words{"-n", "1", "a", "b c", "\n", "-n", "2", "d"}));
    EXPECT_FALSE(words_of_lines("# nothing\n", "f"));
    EXPECT_EQ(words_of_lines("a # b", "f")->words, (Words{"a", "#", "b"}));
    expect_told({"f:1: "}, words_of_lines("a \\", "f").error().cause);
}

TEST(ConfigFile, BackslashContinuesALine) {
    struct {
        const char* text;
        Words words;
    } rows[] = {
        {"-n 1 \\\n a\n-n 2 b\n", {"-n", "1", "a", "\n", "-n", "2", "b"}},
        {"-n 1 \\\r\n a\\\r\nb\r\n", {"-n", "1", "ab"}},
        {"a \\\n\n b\n", {"a", "\n", "b"}},
        {"a \\\n#b\n", {"a", "#b"}},
        {"# a \\\nb\n", {"b"}},
        {"a \\\\\nb\n", {"a", "\\", "\n", "b"}},
        {"a \\ \nb\n", {"a", " ", "\n", "b"}},
    };
    for (const auto& row : rows) {
        const auto made = words_of_lines(row.text, "f");
        ASSERT_TRUE(made) << row.text;
        EXPECT_EQ(made->words, row.words) << row.text;
    }
    EXPECT_EQ(words_of_lines("a\nb \\\n 'c\nd\n", "f").error().cause, "f:2: a quote is not closed");
}

/// What the lines make of programs.
std::string programs_of(const char* text) {
    const auto made = words_of_lines(text, "f");
    auto scanned = scan_all(made->words, {.separator = made->separator, .places = made->places});
    if (!scanned.mistakes.empty()) return scanned.mistakes.take().cause;
    std::string all;
    for (const auto& segment : scanned.segments) {
        all += all.empty() ? "" : "|";
        for (const auto& word : segment.program)
            all += "[" + word + "]";
    }
    return all;
}

TEST(ConfigFile, ColonIsAWordAsOthers) {
    EXPECT_EQ(programs_of("-n 1 echo a : b\n-n 2 echo ':'\n"), "[echo][a][:][b]|[echo][:]");
    EXPECT_EQ(programs_of("-genv A : app"), "[app]");
    expect_told({"f:1: no program"}, programs_of("-n 1\napp"));
    expect_told({"f:4: no program"}, programs_of("app\n\n# no\n-n 1"));
    expect_told({"f:2: "}, programs_of("app\n--zzz b"));
    expect_told({"-genv"}, programs_of("-genv A\napp"));
}

TEST(ConfigFile, IsMeantWhereItStandsAlone) {
    for (const Words& words :
         {Words{"app", "-configfile", "none"}, Words{"-configfile=f", "app"}, Words{}}) {
        const auto same = with_config_file(words);
        ASSERT_TRUE(same);
        EXPECT_EQ(same->words, words);
        EXPECT_EQ(same->separator, ":");
    }
    struct {
        Words words;
        const char* error;
    } rows[] = {
        {{"--configfile", "/no/such"},
         "read the file of --configfile /no/such: No such file or directory"},
        {{"-configfile=/no/such"},
         "read the file of -configfile /no/such: No such file or directory"},
        {{"-configfile"}, "-configfile needs a value: FILE (see launch --help)"},
        {{"-configfile="}, "-configfile needs a value: FILE (see launch --help)"},
    };
    for (const auto& row : rows) {
        const auto read = with_config_file(row.words);
        ASSERT_FALSE(read) << row.error;
        EXPECT_EQ(describe(read.error()), row.error);
    }
}

}  // namespace
}  // namespace launch
