// SPDX-License-Identifier: MIT
#include "core/link/broadcast_log.hpp"

#include <gtest/gtest.h>

#include "core/wire/messages.hpp"

namespace launch {
namespace {

TEST(BroadcastLog, takes_each_message_once) {
    BroadcastLog log;
    EXPECT_TRUE(log.take(FrameType::signal, {1, "ten"}));
    EXPECT_FALSE(log.take(FrameType::signal, {1, "ten"})) << "from another parent";
    EXPECT_TRUE(log.take(FrameType::terminate, {3, "500"})) << "one was missed for good";
    EXPECT_FALSE(log.take(FrameType::signal, {2, "twelve"})) << "too late";
    EXPECT_EQ(log.last(), 3U);
    ASSERT_EQ(log.entries().size(), 2U);
    EXPECT_EQ(log.entries().back().type, FrameType::terminate);
    const auto passed_on = unwrap_broadcast(log.entries().back().payload);
    ASSERT_TRUE(passed_on);
    EXPECT_EQ(passed_on->number, 3U);
    EXPECT_EQ(passed_on->body, "500");
}

TEST(BroadcastLog, knows_what_somebody_has_missed) {
    BroadcastLog log;
    EXPECT_EQ(log.after(0), nullptr);
    log.take(FrameType::signal, {1, "ten"});
    log.take(FrameType::routes, {4, "where all are"});
    ASSERT_NE(log.after(0), nullptr);
    EXPECT_EQ(log.after(0)->type, FrameType::signal);
    ASSERT_NE(log.after(1), nullptr);
    EXPECT_EQ(log.after(1)->type, FrameType::routes);
    EXPECT_EQ(log.after(4), nullptr);
    EXPECT_TRUE(log.has(FrameType::routes));
    EXPECT_FALSE(log.has(FrameType::finish));
}

TEST(BroadcastLog, stays_small_under_signals_without_end_and_forgets_nothing_else) {
    BroadcastLog log;
    log.take(FrameType::routes, {1, "where all are"});
    log.take(FrameType::start_ranks, {2, {}});
    for (uint64_t number = 3; number <= 10'000; ++number) {
        EXPECT_TRUE(log.take(FrameType::signal, {number, "ten"}));
        log.heard_below(number);
    }
    EXPECT_LE(log.entries().size(), 256U);
    EXPECT_EQ(log.entries().back().number, 10'000U);
    EXPECT_TRUE(log.has(FrameType::routes));
    EXPECT_TRUE(log.has(FrameType::start_ranks));
}

TEST(BroadcastLog, of_a_job_that_is_over_keeps_that_it_is) {
    BroadcastLog log;
    const std::string first = wrap_job(JobNumber{1}, encode_number(15));
    const std::string second = wrap_job(JobNumber{2}, encode_number(15));
    log.take(FrameType::routes, {1, "where all are"});
    log.take(FrameType::signal, {2, first});
    log.take(FrameType::signal, {3, second});
    log.take(FrameType::terminate, {4, first});
    log.take(FrameType::end_job, {5, first});
    std::vector<uint64_t> numbers;
    for (const auto& entry : log.entries())
        numbers.push_back(entry.number);
    EXPECT_EQ(numbers, (std::vector<uint64_t>{1, 3, 5}));
}

TEST(BroadcastLog, stays_small_under_jobs_without_end) {
    BroadcastLog log;
    for (uint32_t job = 1; job <= 5000; ++job) {
        const std::string text = wrap_job(JobNumber{job}, encode_number(0));
        log.take(FrameType::start_ranks, {log.last() + 1, text});
        log.take(FrameType::end_job, {log.last() + 1, text});
        log.heard_below(log.last());
    }
    EXPECT_LE(log.entries().size(), 256U);
}

TEST(BroadcastLog, keeps_all_that_somebody_has_not_heard) {
    BroadcastLog log;
    for (uint32_t job = 1; job <= 5000; ++job) {
        log.take(FrameType::spawned, {log.last() + 1, wrap_job(JobNumber{1}, "an answer")});
        log.take(FrameType::end_job,
                 {log.last() + 1, wrap_job(JobNumber{job + 1}, encode_number(0))});
        log.heard_below(10);
    }
    EXPECT_EQ(log.entries().size(), 10'000U - 10U);
    ASSERT_NE(log.after(10), nullptr);
    EXPECT_EQ(log.after(10)->number, 11U);
    log.heard_below(log.last());
    EXPECT_EQ(log.entries().size(), 256U) << "for jobs that come after their orders";
}

}  // namespace
}  // namespace launch
