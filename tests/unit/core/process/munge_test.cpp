// SPDX-License-Identifier: MIT
#include "core/process/munge.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(Munge, opens_what_this_user_sealed_any_number_of_times) {
    const auto line = munge_sealed("a secret");
    if (!line) GTEST_SKIP() << "no MUNGE daemon is running";
    EXPECT_TRUE(is_munge_sealed(*line));
    EXPECT_EQ(line->find('\n'), line->npos);
    EXPECT_EQ(line->find("secret"), line->npos);
    for (int i = 0; i < 2; ++i) {
        const auto opened = munge_opened(*line);
        ASSERT_TRUE(opened) << describe(opened.error());
        EXPECT_EQ(*opened, "a secret");
    }
}

TEST(Munge, tells_why_it_cannot_open_a_line) {
    EXPECT_FALSE(is_munge_sealed("6c61756e6368"));
    for (const char* line : {"MUNGE:", "MUNGE:AwQFAAAA:"}) {
        EXPECT_TRUE(is_munge_sealed(line));
        const auto opened = munge_opened(line);
        ASSERT_FALSE(opened) << line;
        EXPECT_EQ(opened.error().operation, "open a MUNGE credential");
        EXPECT_FALSE(opened.error().cause.empty());
    }
}

}  // namespace
}  // namespace launch
