// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/shrink.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(Shrink, leaves_the_steps_without_which_a_run_does_not_fail) {
    for (const Steps& wanted : {Steps{}, Steps{0}, Steps{99}, Steps{3, 50, 51}, Steps{0, 49, 99}}) {
        uint32_t runs = 0;
        const Steps kept = shrink(100, [&](const Steps& some) {
            ++runs;
            return std::includes(some.begin(), some.end(), wanted.begin(), wanted.end());
        });
        EXPECT_EQ(kept, wanted);
        EXPECT_LT(runs, 60U) << steps_text(wanted);
    }
}

TEST(Shrink, keeps_what_fails_only_as_a_whole) {
    const Steps all{0, 1, 2, 3, 4};
    EXPECT_EQ(shrink(5, [&all](const Steps& some) { return some == all; }), all);
    EXPECT_EQ(steps_text(all), " 0 1 2 3 4");
}

}  // namespace
}  // namespace launch
