#include "modex/front/printable.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(Printable, is_one_line_no_terminal_acts_upon) {
    EXPECT_EQ(printable("a b=c\n", 10), "a b=c\\n");
    EXPECT_EQ(printable(std::string("\0\x1b[31m\\\xff", 8), 10), "\\x00\\x1b[31m\\\\\\xff");
    EXPECT_EQ(printable("abcdef", 6), "abcdef");
    EXPECT_EQ(printable("abcdef", 5), "abcde...");
}

TEST(Printable, a_trace_tells_the_direction) {
    EXPECT_EQ(to_trace(true, "cmd=get_maxes\n"), "-> cmd=get_maxes\\n");
    EXPECT_EQ(to_trace(false, "cmd=barrier_out\n"), "<- cmd=barrier_out\\n");
    EXPECT_EQ(to_trace(true, std::string(1000, 'x')), "-> " + std::string(200, 'x') + "...");
}

}  // namespace
}  // namespace launch
