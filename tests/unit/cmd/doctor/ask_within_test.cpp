// SPDX-License-Identifier: MIT
#include "cmd/doctor/ask_within.hpp"

#include <chrono>
#include <gtest/gtest.h>
#include <iostream>
#include <unistd.h>

namespace launch {
namespace {

using std::chrono::milliseconds;

TEST(AskWithin, has_all_that_was_sent_and_nothing_that_was_printed) {
    const auto answer = ask_within(milliseconds{20'000}, [](const Send& send) {
        std::cout << "noise" << std::endl;
        send("one ");
        send(std::string(200'000, 'x'));
    });
    EXPECT_TRUE(answer.in_time);
    EXPECT_EQ(answer.text, "one " + std::string(200'000, 'x'));
}

TEST(AskWithin, survives_a_crash) {
    const auto answer = ask_within(milliseconds{20'000}, [](const Send& send) {
        send("one");
        _exit(11);
    });
    EXPECT_EQ(answer.text, "one");
}

TEST(AskWithin, waits_no_longer_than_it_may) {
    const auto began = Clock::now();
    const auto answer = ask_within(milliseconds{100}, [](const Send& send) {
        send("one");
        pause();
    });
    EXPECT_FALSE(answer.in_time);
    EXPECT_EQ(answer.text, "one");
    EXPECT_LT(Clock::now() - began, std::chrono::seconds{30});
}

}  // namespace
}  // namespace launch
