// SPDX-License-Identifier: MIT
#include "transports/backoff.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

using std::chrono::milliseconds;

struct Pauses {
    int count = 0;
    milliseconds sum{0};
};

Pauses all_pauses(Retry retry, uint32_t seed) {
    Backoff backoff(seed);
    Pauses pauses;
    while (const auto time = backoff.next(retry)) {
        ++pauses.count;
        pauses.sum += *time;
    }
    EXPECT_EQ(backoff.tries(), pauses.count + 1);
    return pauses;
}

TEST(Backoff, TriesADroppedConnectionFiveTimes) {
    for (uint32_t seed = 1; seed < 100; ++seed) {
        const Pauses pauses = all_pauses(Retry::dropped, seed);
        EXPECT_EQ(pauses.count, 4);
        EXPECT_LE(pauses.sum, milliseconds(4800));
    }
}

TEST(Backoff, GivesARefusedPortUpWithinTwoSeconds) {
    for (uint32_t seed = 1; seed < 100; ++seed) {
        const Pauses pauses = all_pauses(Retry::refused, seed);
        EXPECT_EQ(pauses.count, 3);
        EXPECT_LE(pauses.sum, milliseconds(1800));
    }
}

TEST(Backoff, NeverRepeatsWhatStays) {
    EXPECT_EQ(all_pauses(Retry::no, 1).count, 0);
}

TEST(Backoff, SaysHowOftenItTried) {
    Backoff backoff(1);
    Error error;
    error.cause = "refused";
    EXPECT_EQ(backoff.explain(error).cause, "refused");
    backoff.next(Retry::dropped);
    EXPECT_EQ(backoff.explain(error).cause, "refused; tried 2 times");
}

}  // namespace
}  // namespace launch
