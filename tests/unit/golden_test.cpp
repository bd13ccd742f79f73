// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "tests/unit/golden_file.hpp"

namespace launch {
namespace {

using Steps = std::vector<GoldenStep>;

const Steps steps{{"-n x", "no number"}, {"a\nb", "one\n\n  two"}, {"nothing", ""}};

TEST(GoldenFile, is_read_as_it_was_written) {
    const std::vector<GoldenSection> sections{{"Suite.test", steps}, {"Suite.other", {{"", "|"}}}};
    EXPECT_EQ(write_golden(sections),
              "Suite.test\n\n$ -n x\n| no number\n$ a\n> b\n| one\n|\n|   two\n$ nothing\n"
              "\nSuite.other\n\n$\n| |\n");
    EXPECT_EQ(read_golden(write_golden(sections)), sections);
    EXPECT_EQ(read_golden("| x\n> y\n$ z\n"), std::vector<GoldenSection>{});
}

TEST(GoldenFile, differs_where_a_word_or_a_step_does) {
    EXPECT_EQ(golden_difference(steps, steps), "");
    Steps changed = steps;
    changed[1].text = "one\n\n  too";
    EXPECT_EQ(golden_difference(steps, changed),
              "golden:\n    |\n    |   two\n    $ nothing\n"
              "now:\n    |\n    |   too\n    $ nothing\n");
    changed = steps;
    changed.pop_back();
    EXPECT_EQ(golden_difference(steps, changed),
              "golden:\n    |   two\n    $ nothing\nnow:\n    |   two\n");
    EXPECT_NE(golden_difference({}, steps), "");
    EXPECT_NE(golden_difference(steps, {}), "");
    changed = steps;
    changed[0].input = "-n y";
    EXPECT_NE(golden_difference(steps, changed), "");
}

TEST(GoldenFile, is_named_as_the_test) {
    EXPECT_EQ(golden_name("/x/tests/unit/core/a_test.cpp"), "core/a.txt");
    EXPECT_EQ(golden_name("../tests/unit/a_test.cpp"), "a.txt");
    EXPECT_EQ(golden_name("tests/fuzz/corpus_test.cpp"), "");
    EXPECT_EQ(golden_name("tests/unit/golden.cpp"), "");
}

}  // namespace
}  // namespace launch
