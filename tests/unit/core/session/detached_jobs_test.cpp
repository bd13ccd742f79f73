// SPDX-License-Identifier: MIT
#include "core/session/detached_jobs.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

using Kind = SessionAnswer::Kind;

TEST(DetachedJobs, TellsWhereOutputIsAndWhatAJobEndedWith) {
    DetachedJobs jobs;
    jobs.begin(JobNumber{3}, "/home/u/three");
    jobs.begin(JobNumber{4}, "/home/u/four");
    EXPECT_EQ(jobs.output(JobNumber{3}), "/home/u/three");
    EXPECT_FALSE(jobs.outcome(JobNumber{3}));
    jobs.end(JobNumber{3}, 7);
    jobs.end(JobNumber{3}, std::nullopt);  // its connection closes: it was heard before
    jobs.end(JobNumber{4}, std::nullopt);
    ASSERT_TRUE(jobs.outcome(JobNumber{3}));
    EXPECT_EQ(jobs.outcome(JobNumber{3})->kind, Kind::done);
    EXPECT_EQ(jobs.outcome(JobNumber{3})->exit_code, 7);
    EXPECT_EQ(jobs.outcome(JobNumber{4})->kind, Kind::killed);
    EXPECT_EQ(jobs.output(JobNumber{3}), "/home/u/three");
}

TEST(DetachedJobs, KnowsNoOther) {
    DetachedJobs jobs;
    jobs.end(JobNumber{1}, 0);
    EXPECT_EQ(jobs.output(JobNumber{1}), "");
    ASSERT_TRUE(jobs.outcome(JobNumber{1}));
    EXPECT_EQ(jobs.outcome(JobNumber{1})->kind, Kind::not_detached);
}

TEST(DetachedJobs, ForgetsTheOldestThatHaveEnded) {
    DetachedJobs jobs;
    jobs.begin(JobNumber{1}, "runs");
    for (uint32_t i = 2; i < DetachedJobs::most_remembered + 4; ++i) {
        jobs.begin(JobNumber{i}, "ended");
        jobs.end(JobNumber{i}, 0);
    }
    EXPECT_EQ(jobs.output(JobNumber{1}), "runs");
    EXPECT_EQ(jobs.output(JobNumber{2}), "");
    EXPECT_EQ(jobs.output(JobNumber{3}), "");
    EXPECT_EQ(jobs.output(JobNumber{4}), "ended");
}

}  // namespace
}  // namespace launch
