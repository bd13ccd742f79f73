// SPDX-License-Identifier: MIT
#include "cmd/render/line_diff.hpp"

#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace launch {
namespace {

TEST(LineDiff, is_that_of_diff) {
    struct Row {
        const char* name;
        const char* a;
        const char* b;
        const char* hunks;
    };
    for (const Row& row : {
             Row{"same", "a\nb\n", "a\nb\n", ""},
             Row{"nothing", "", "", ""},
             Row{"all new", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"},
             Row{"all gone", "a\n", "", "@@ -1 +0,0 @@\n-a\n"},
             Row{"changed", "a\nb\nc\n", "a\nx\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n"},
             Row{"no newline", "a\n", "a", "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n"},
             Row{"far apart", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n",
                 "@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n@@ -7,3 +8,4 @@\n 7\n 8\n 9\n+10\n"},
         })
        EXPECT_EQ(unified_hunks(row.a, row.b), row.hunks) << row.name;
}

TEST(LineDiff, gives_up_where_hardly_anything_is_the_same) {
    std::string a;
    std::string b;
    for (int i = 0; i < 20; ++i) {
        a += "a" + std::to_string(i) + "\n";
        b += "b" + std::to_string(i) + "\n";
    }
    EXPECT_FALSE(unified_hunks(a, b, 39));
    EXPECT_TRUE(unified_hunks(a, b, 40));
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    size_t at = 0;
    while (at < text.size()) {
        const size_t end = text.find('\n', at) + 1;
        lines.push_back(text.substr(at, end - at));
        at = end;
    }
    return lines;
}

/// What patch(1) does.
std::string patched(const std::string& a, const std::string& hunks) {
    const auto old = lines_of(a);
    std::string made;
    size_t at = 0;
    for (const auto& line : lines_of(hunks)) {
        if (line.starts_with("@@")) {
            const size_t first = std::stoul(line.substr(4));
            const bool none = line.find(",0 +") != std::string::npos;
            for (const size_t begin = none ? first : first - 1; at < begin; ++at)
                made += old.at(at);
        } else if (line[0] == '+') {
            made += line.substr(1);
        } else {
            EXPECT_EQ(old.at(at), line.substr(1));
            if (line[0] == ' ') made += old.at(at);
            ++at;
        }
    }
    for (; at < old.size(); ++at)
        made += old[at];
    return made;
}

TEST(LineDiff, makes_b_of_a) {
    std::mt19937 random(4711);
    for (int round = 0; round < 300; ++round) {
        std::string texts[2];
        for (auto& text : texts)
            for (auto i = random() % 40; i > 0; --i)
                text += std::string(1, static_cast<char>('a' + random() % 4)) + "\n";
        const auto hunks = unified_hunks(texts[0], texts[1]);
        ASSERT_TRUE(hunks);
        ASSERT_EQ(patched(texts[0], *hunks), texts[1]) << texts[0] << "\n" << *hunks;
    }
}

}  // namespace
}  // namespace launch
