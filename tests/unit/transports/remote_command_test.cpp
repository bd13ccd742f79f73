// SPDX-License-Identifier: MIT
#include "transports/remote_command.hpp"

#include <array>
#include <cstdio>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "core/base/shell_word.hpp"

namespace launch {
namespace {

struct Row {
    const char* name;
    std::string word;
    std::string expected;
};

const std::vector<Row> rows = {
    {"plain", "/usr/bin/app-1.2_x", "/usr/bin/app-1.2_x"},
    {"assignment", "A=b", "A=b"},
    {"empty", "", "''"},
    {"space", "a b", "'a b'"},
    {"quote", "it's", "'it'\\''s'"},
    {"only a quote", "'", "\\'"},
    {"backslash, which fish reads in quotes", "a\\\\b", "'a'\\\\\\\\'b'"},
    {"history of csh", "wow!", "'wow'\\!"},
    {"dollar", "$HOME", "'$HOME'"},
    {"tilde", "~/x", "'~/x'"},
    {"glob", "*?[a]", "'*?[a]'"},
    {"leading equals, which zsh expands", "=ls", "'=ls'"},
    {"leading percent, a job of csh", "%1", "'%1'"},
    {"braces of csh", "{a,b}", "'{a,b}'"},
    {"line break", "a\nb", "'a\nb'"},
    {"not ASCII", "\xc3\xa9", "'\xc3\xa9'"},
};

TEST(RemoteCommand, QuotesOnlyWhereAShellWouldReadMore) {
    for (const auto& row : rows)
        EXPECT_EQ(shell_word(row.word), row.expected) << row.name;
}

std::string output_of(const std::string& command) {
    FILE* pipe = popen(command.c_str(), "r");
    std::string text;
    std::array<char, 256> buffer;
    for (size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
        text.append(buffer.data(), n);
    pclose(pipe);
    return text;
}

TEST(RemoteCommand, AShellReadsTheSameWordsBack) {
    for (const auto& row : rows) {
        EXPECT_EQ(output_of(shell_line({"printf", "<%s>", row.word})), "<" + row.word + ">")
            << row.name;
    }
}

TEST(RemoteCommand, ReplacesTheLoginShell) {
    EXPECT_EQ(remote_command({"my launch", "--relay"}), "exec 'my launch' --relay");
    EXPECT_EQ(remote_command({"/bin/sh", "-c", "y z"}), "exec /bin/sh -c 'y z'")
        << "many a /bin/sh is a link to a program that goes by its own name";
}

TEST(RemoteCommand, RunsTheOtherWhereTheFirstIsNotThere) {
    EXPECT_EQ(output_of(remote_command({"/bin/echo", "a b"}, {"/bin/echo", "c"})), "a b\n");
    EXPECT_EQ(output_of(remote_command({"/usr/no/echo", "a b"}, {"/bin/echo", "c  d"})), "c  d\n");
}

}  // namespace
}  // namespace launch
