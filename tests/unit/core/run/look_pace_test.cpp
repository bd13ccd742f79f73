// SPDX-License-Identifier: MIT
#include "core/run/look_pace.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

using milliseconds = LookPace::milliseconds;

milliseconds pause_after(LookPace& pace, milliseconds waited) {
    milliseconds pause = pace.next();
    for (milliseconds total = pause; total < waited; total += pause)
        pause = pace.next();
    return pause;
}

TEST(LookPace, begins_at_once_and_keeps_a_pace_that_nobody_notices) {
    LookPace pace;
    EXPECT_EQ(pace.next(), milliseconds(1));
    EXPECT_EQ(pause_after(pace, milliseconds(2000)), milliseconds(50));
}

TEST(LookPace, looks_rarely_at_a_silent_rank) {
    LookPace pace;
    EXPECT_EQ(pause_after(pace, milliseconds(20'000)), milliseconds(1000));
}

TEST(LookPace, begins_again_when_the_rank_writes) {
    LookPace pace;
    pause_after(pace, milliseconds(20'000));
    EXPECT_TRUE(pace.wrote());
    EXPECT_EQ(pace.next(), milliseconds(1));
}

TEST(LookPace, a_rank_that_writes_all_the_time_is_not_looked_at_more_often) {
    LookPace pace;
    pause_after(pace, milliseconds(2000));
    EXPECT_FALSE(pace.wrote());
    EXPECT_EQ(pace.next(), milliseconds(50));
}

}  // namespace
}  // namespace launch
