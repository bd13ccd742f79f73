// SPDX-License-Identifier: MIT
#include "modex/detect/shell_words.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

/// "a b|c": the words of each command.
std::string shown(std::string_view text) {
    std::string out;
    for (const auto& command : shell_commands(text)) {
        out += out.empty() ? "" : "|";
        for (std::size_t i = 0; i < command.size(); ++i)
            out += (i == 0 ? "" : " ") + command[i];
    }
    return out;
}

TEST(ShellWords, Commands) {
    struct {
        const char* text;
        const char* words;
    } rows[] = {
        {"", ""},
        {"./app -x 1", "./app -x 1"},
        {"cd /d && ./app; ./b | c &\nd", "cd /d|./app|./b|c|d"},
        {"'./my app' \"x y\" z\\ w", "./my app x y z w"},
        {"\"a\\\"b\" ''", "a\"b "},
        {"# ./not\n./app # ./neither\n./b#c", "./app|./b#c"},
        {"./a \\\n  ./b", "./a ./b"},
        {"x=$(./a) ./b", "x=$|./a|./b"},
        {"./a >out 2>&1 <in", "./a out 2|1 in"},
        {"if test -x a; then ./b; fi", "if test -x a|then ./b|fi"},
        {"'never closed ; ./a", "never closed ; ./a"},
        {"\\", ""},
    };
    for (const auto& row : rows)
        EXPECT_EQ(shown(row.text), row.words) << row.text;
}

TEST(ShellWords, AreBounded) {
    std::string text;
    for (int i = 0; i < 100'000; ++i)
        text += "a ";
    ASSERT_EQ(shell_commands(text).size(), 1U);
    EXPECT_EQ(shell_commands(text)[0].size(), 1024U);
}

TEST(ShellWords, Variables) {
    const std::vector<std::string> env{"A=/opt", "B2=x", "EMPTY="};
    struct {
        const char* word;
        const char* text;
    } rows[] = {
        {"plain", "plain"},
        {"$A/bin", "/opt/bin"},
        {"${A}/$B2", "/opt/x"},
        {"$C/bin", ""},
        {"$EMPTY/x", ""},
        {"${A", ""},
        {"${A:-b}", ""},
        {"$", ""},
        {"$1", ""},
        {"$@", ""},
        {"a$A$A", "a/opt/opt"},
        {"${}", ""},
    };
    for (const auto& row : rows)
        EXPECT_EQ(expand_variables(row.word, env), row.text) << row.word;
}

TEST(ShellWords, Assignments) {
    for (const char* word : {"A=", "A=b", "_a1=b=c"})
        EXPECT_TRUE(is_assignment(word)) << word;
    for (const char* word : {"", "=", "=b", "A", "1A=b", "a-b=c", "--x=y", "./a=b"})
        EXPECT_FALSE(is_assignment(word)) << word;
}

}  // namespace
}  // namespace launch
