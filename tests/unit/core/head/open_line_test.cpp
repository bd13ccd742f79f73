// SPDX-License-Identifier: MIT
#include "core/head/open_line.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(OpenLine, another_ranks_output_begins_a_new_line) {
    OpenLine line;
    EXPECT_EQ(line.before(0, 0, "Enter: "), "");
    EXPECT_EQ(line.before(0, 1, "hello\n"), "\n");
    EXPECT_EQ(line.before(0, 0, "got it\n"), "");
    EXPECT_EQ(line.before(0, 1, "hello\n"), "");
}

TEST(OpenLine, a_rank_goes_on_in_its_own_line) {
    OpenLine line;
    EXPECT_EQ(line.before(0, 3, "50%"), "");
    EXPECT_EQ(line.before(0, 3, ""), "");
    EXPECT_EQ(line.before(0, 3, "\r60%"), "");
    EXPECT_EQ(line.before(0, 4, "70%"), "\n");
    EXPECT_EQ(line.before(0, 4, "\n"), "");
}

TEST(OpenLine, rank_of_another_job_and_launch_itself_begin_a_new_line) {
    OpenLine line;
    EXPECT_EQ(line.before_line(), "");
    EXPECT_EQ(line.before(0, 0, "Enter: "), "");
    EXPECT_EQ(line.before(1, 0, "50%"), "\n");
    EXPECT_EQ(line.before_line(), "\n");
    EXPECT_EQ(line.before(1, 0, "60%"), "");
}

}  // namespace
}  // namespace launch
