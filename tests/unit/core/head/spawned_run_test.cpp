// SPDX-License-Identifier: MIT
// Processes that a rank asked for, on two hosts that the test plays.

#include "core/head/spawned_run.hpp"

#include <gtest/gtest.h>

#include "core/async/task_group.hpp"
#include "core/head/job_message.hpp"
#include "core/head/rank_output.hpp"
#include "core/hosts/hostlist.hpp"
#include "tests/unit/core/harness/fake_job_tree.hpp"
#include "tests/unit/core/harness/run_until.hpp"

namespace launch {
namespace {

using Lines = std::vector<std::string>;

/// One rank of a space on n1, one on n2; n3 has none.
Plan plan_of_two() {
    JobSpec spec;
    spec.programs = {{.argv = {"a"}, .ranks = 2}};
    spec.hosts = *parse_hosts("n[1-3]");
    spec.allow_missing = true;  // hosts without ranks stay
    auto no_tree = [](const std::string&, uint32_t, NodeIndex, std::string*) {
        return Result<std::unique_ptr<Topology>>(std::unique_ptr<Topology>());
    };
    Plan plan = *make_plan(std::move(spec), no_tree);
    plan.space = 1;
    return plan;
}

class SpawnedRunTest : public testing::Test, private SpawnWatch {
  protected:
    SpawnedRunTest()
        : run(io.get_executor(), {plan_of_two(), std::make_unique<FakeJobTree>(log)}, {},
              static_cast<SpawnWatch&>(*this)),
          tasks_(io.get_executor()) {
        tasks_.spawn(run.run([this](const std::vector<uint32_t>& unable, const std::string& why) {
            log.push_back(why.empty() ? "started" : std::to_string(unable.size()) + " not: " + why);
        }));
    }

    void ready(NodeIndex node) { run.hosts_up({node}); }
    void exits(uint32_t rank, int code) {
        run.take(JobReport(ExitsMessage{{{rank, {ExitStatus::Kind::exited, code}, {}}}}));
    }
    void lose(NodeIndex node) {
        FailureMessage failure;
        failure.node = node;
        failure.was_up = true;
        failure.error.cause = "gone";
        run.hosts_failed(failure);
    }
    /// All that happens until nothing does any more.
    const Lines& happened() {
        io.restart();
        io.poll();
        return log;
    }

    asio::io_context io;
    Lines log;
    Console console_{own_screen(io.get_executor()), true, false};
    SpawnedRun run;

  private:
    void spawn_wanted(uint32_t, const SpawnMessage&) override { log.emplace_back("wanted"); }
    void spawn_refused(const std::string&, const std::string&, const std::string&) override {}
    void rank_failed(uint32_t, const RankExit& exit) override {
        log.push_back("failed " + std::to_string(exit.status.value));
    }
    void fault(const FaultMessage&, const JobRecord&) override { log.emplace_back("fault"); }
    void host_lost(const FailureMessage& failure) override {
        log.push_back("lost " + std::to_string(failure.node));
    }
    void notice_of(const std::string& host, const NoticeMessage&) override {
        log.push_back("notice of " + host);
    }
    std::unique_ptr<OutputSink> output_of(const Plan& plan) override {
        return std::make_unique<RankOutput>(io.get_executor(), plan, console_, nullptr);
    }
    void output_failed(const Error*) override {}
    void spawned_changed() override {}

    TaskGroup tasks_;
};

TEST_F(SpawnedRunTest, starts_when_each_host_with_ranks_is_ready_and_ends_with_them) {
    EXPECT_EQ(happened(), Lines{"start on 2"});
    ready(1);
    EXPECT_EQ(happened(), Lines{"start on 2"});
    ready(2);
    EXPECT_EQ(happened(), (Lines{"start on 2", "word 0", "started"}));
    EXPECT_EQ(run.record().running(), 2U);
    log.clear();
    exits(0, 0);
    exits(1, 3);
    EXPECT_EQ(happened(), (Lines{"failed 3", "finish"}));
}

TEST_F(SpawnedRunTest, starts_none_where_one_cannot) {
    happened();
    run.take(JobReport(UnreadyMessage{
        2,
        {{0,
          {{ExitStatus::Kind::not_started, ENOENT, ExitStatus::Stage::exec}, "no such file"}}}}));
    ready(2);
    ready(1);
    EXPECT_EQ(happened(), (Lines{"start on 2",
                                 "1 not: rank 1.1 on n2: a: cannot execute: no such file"
                                 " (is it on that host? --stage-program copies "
                                 "it there)",
                                 "finish"}));
}

TEST_F(SpawnedRunTest, starts_none_where_a_host_is_lost_before) {
    happened();
    ready(1);
    lose(3);  // which has no rank of it
    lose(2);
    EXPECT_EQ(happened(), (Lines{"start on 2", "0 not: gone", "finish"}));
}

TEST_F(SpawnedRunTest, tells_of_a_host_that_is_lost_later) {
    ready(1);
    ready(2);
    happened();
    log.clear();
    lose(3);
    lose(2);
    exits(0, 0);
    EXPECT_EQ(happened(), (Lines{"lost 2", "finish"}));
}

TEST_F(SpawnedRunTest, is_ended_with_the_job) {
    ready(1);
    ready(2);
    happened();
    log.clear();
    run.end(milliseconds{100});
    run.end(milliseconds{200});  // not later than it was
    exits(0, 1);                 // by what ends the job: no failure
    EXPECT_EQ(happened(), Lines{"terminate 100"});
    exits(1, 1);
    EXPECT_EQ(happened(), (Lines{"terminate 100", "finish"}));
}

TEST_F(SpawnedRunTest, does_not_start_when_the_job_ends) {
    happened();
    run.end(milliseconds{0});
    EXPECT_EQ(happened(),
              (Lines{"start on 2", "terminate 0", "0 not: the job is ending", "finish"}));
}

}  // namespace
}  // namespace launch
