// SPDX-License-Identifier: MIT
// The run of a job at its head, whose tree the test plays.

#include "core/head/job_run.hpp"

#include <csignal>
#include <gtest/gtest.h>

#include "core/hosts/hostlist.hpp"
#include "tests/unit/core/harness/fake_job_tree.hpp"
#include "tests/unit/core/harness/no_ground.hpp"

namespace launch {
namespace {

struct JobRunTest : testing::Test {
    static Plan plan_of_two() {
        JobSpec spec;
        spec.programs = {{.argv = {"a"}, .ranks = 2}};
        spec.hosts = *parse_hosts("n[1-2]");
        auto no_tree = [](const std::string&, uint32_t, NodeIndex, std::string*) {
            return Result<std::unique_ptr<Topology>>(std::unique_ptr<Topology>());
        };
        return *make_plan(std::move(spec), no_tree);
    }

    asio::io_context io;
    Plan plan = plan_of_two();
    std::vector<std::string> log;
    FakeJobTree tree{log};
    NoGround ground;
    Factories factories;
    HeadOptions options;
    Guard guard = Guard::none();
    Reaper reaper{io.get_executor()};
    JobRun run{io.get_executor(), plan,    tree,  ground, own_user_side(io.get_executor()),
               factories,         options, guard, reaper};
};

TEST_F(JobRunTest, statistics_that_nobody_asked_for_are_left_alone) {
    NodeStats stats;
    stats.node = 1;
    run.take(stats);
    EXPECT_FALSE(run.outcome().stats);
}

/// A relay may say anything: no host or rank that the plan has not is looked up.
TEST_F(JobRunTest, nonsense_ends_the_job_at_most) {
    FailureMessage failure;
    failure.node = 77;
    failure.below = {{78, 5}};
    failure.was_up = true;
    run.hosts_failed(failure);
    run.hosts_up({0, 99});
    EXPECT_TRUE(log.empty());
    const FaultMessage fault{1000, FaultMessage::Kind::protocol, 0, "what is that", {}};
    run.take(JobReport(fault));
    EXPECT_EQ(log, std::vector<std::string>{"terminate 5000"});
    ASSERT_TRUE(run.outcome().error);
    EXPECT_EQ(describe(*run.outcome().error), "rank 1000: what is that");
}

TEST_F(JobRunTest, killed_rank_is_why_the_job_failed_though_another_aborted_before) {
    run.hosts_up({1, 2});
    run.take(JobReport(FaultMessage{1, FaultMessage::Kind::aborted, 15, {}, {}}));
    EXPECT_EQ(log, std::vector<std::string>{"terminate 5000"});
    EXPECT_FALSE(run.outcome().failed);
    const ExitStatus killed{ExitStatus::Kind::signalled, SIGKILL};
    run.take(JobReport(ExitsMessage{{{0, killed, {}}}}));
    EXPECT_EQ(run.outcome().failed, killed);
}

}  // namespace
}  // namespace launch
