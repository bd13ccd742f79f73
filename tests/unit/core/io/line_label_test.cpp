// SPDX-License-Identifier: MIT
#include "core/io/line_label.hpp"

#include <gtest/gtest.h>
#include <regex>

namespace launch {
namespace {

std::string label(std::string_view text, uint32_t rank, bool colored) {
    OutputPattern pattern;
    EXPECT_EQ(OutputPattern::read(text, pattern), "");
    OutputFields fields;
    fields.rank = rank;
    std::string shown;
    LineLabel(pattern, fields, colored).append_to(shown);
    return shown;
}

TEST(LineLabel, has_the_color_of_its_rank) {
    EXPECT_EQ(label("[%r] ", 0, false), "[0] ");
    EXPECT_EQ(label("[%r] ", 0, true), "\033[36m[0] \033[0m");
    EXPECT_NE(label("x", 0, true), label("x", 1, true));
    EXPECT_EQ(label("x", 0, true), label("x", 12, true));
    EXPECT_EQ(label("", 3, true), "");
}

TEST(LineLabel, tells_the_time_of_each_line) {
    EXPECT_TRUE(std::regex_match(label("%{date}T%{time} %r|", 5, false),
                                 std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3} 5\|)")));
}

}  // namespace
}  // namespace launch
