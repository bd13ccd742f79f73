// SPDX-License-Identifier: MIT
#include "cmd/options/foreign_options.hpp"

#include <gtest/gtest.h>
#include <set>

#include "cmd/options/scan.hpp"
#include "cmd/options/table.hpp"
#include "core/base/list_text.hpp"
#include "tests/unit/cmd/words.hpp"

namespace launch {
namespace {

TEST(ForeignOptions, AreNoneOfOursAndToldOnce) {
    std::set<std::string_view> names;
    for (const auto& options : foreign_options()) {
        for (const auto name : split(options.names, ' ')) {
            EXPECT_TRUE(names.insert(name).second) << name;
            EXPECT_EQ(find_option("-" + std::string(name)), nullptr) << name;
        }
    }
}

TEST(ForeignOptions, GetOneLineInEachSpelling) {
    for (const auto& options : foreign_options()) {
        if (options.passed_over) continue;
        for (const auto name : split(options.names, ' ')) {
            for (const std::string dashes : {"-", "--"}) {
                const std::string word = dashes + std::string(name);
                const auto request = request_of({"-n", "2", word, "app"});
                ASSERT_FALSE(request) << word;
                EXPECT_EQ(request.error().kind, ErrorKind::usage);
                EXPECT_EQ(request.error().cause,
                          "unknown option " + word + ": " + std::string(options.advice));
            }
        }
    }
}

TEST(ForeignOptions, FlagsThatAreNotNeededArePassedOverWithANote) {
    size_t passed = 0;
    for (const auto& options : foreign_options()) {
        if (!options.passed_over) continue;
        for (const auto name : split(options.names, ' ')) {
            const std::string word = "--" + std::string(name);
            const auto scanned = scan_all({"-n", "2", word, "app"});
            EXPECT_TRUE(scanned.mistakes.empty()) << word;
            EXPECT_EQ(scanned.notes,
                      (std::vector<std::string>{word + ": " + std::string(options.advice)}));
            ASSERT_EQ(scanned.segments.size(), 1U);
            EXPECT_EQ(scanned.segments[0].program, (std::vector<std::string>{"app"}));
            EXPECT_FALSE(request_of({word + "=1", "app"})) << word;
            ++passed;
        }
    }
    EXPECT_GT(passed, 0U);
}

TEST(ForeignOptions, AdviceNamesOptionsThatThereAre) {
    for (const auto& options : foreign_options()) {
        const std::string advice(options.advice);
        EXPECT_LE(advice.size(), 100U) << advice;
        EXPECT_EQ(advice.find('\n'), advice.npos);
        const bool shell = advice.find("sh -c") != advice.npos;
        for (auto word : words_of(advice)) {
            word.erase(word.find_last_not_of(",;:") + 1);
            if (word.starts_with('-') && !shell) {
                EXPECT_NE(find_option(word), nullptr) << advice;
            }
        }
    }
}

}  // namespace
}  // namespace launch
