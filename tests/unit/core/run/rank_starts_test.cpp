// SPDX-License-Identifier: MIT
#include "core/run/rank_starts.hpp"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "core/run/process_start.hpp"

namespace launch {
namespace {

using Made = std::shared_ptr<ProcessStart>;

Made start_of(std::vector<std::string> argv) {
    SpawnRequest request;
    request.argv = std::move(argv);
    request.env = {"PATH=/usr/bin:/bin"};
    return std::make_shared<ProcessStart>(ProcessStart::Settings{}, std::move(request));
}

ExitStatus wait_for(pid_t pid) {
    int status = 0;
    EXPECT_EQ(waitpid(pid, &status, 0), pid);
    return ExitStatus::from_wait(status);
}

class RankStartsTest : public testing::Test {
  protected:
    asio::io_context io_;
    int told_ = 0;
    std::shared_ptr<RankStarts> starts_ =
        std::make_shared<RankStarts>(io_.get_executor(), [this] { ++told_; });
};

TEST_F(RankStartsTest, all_are_made_in_their_order_and_each_is_taken_once) {
    const std::vector all{start_of({"true"}), start_of({"/no/such"}), start_of({"false"})};
    for (const auto& start : all)
        starts_->add(start);
    starts_->make();
    io_.run();
    EXPECT_GE(told_, 1);
    EXPECT_EQ(starts_->take(), (std::vector<RankStarts::Start>(all.begin(), all.end())));
    EXPECT_TRUE(starts_->take().empty());
    EXPECT_TRUE(wait_for(all[0]->outcome.spawned.pid).success());
    ASSERT_TRUE(all[1]->outcome.failure);
    EXPECT_EQ(all[1]->outcome.failure->status.value, ENOENT);
    EXPECT_EQ(wait_for(all[2]->outcome.spawned.pid).value, 1);
}

TEST_F(RankStartsTest, one_that_is_withdrawn_is_not_made) {
    const auto first = start_of({"true"});
    const auto second = start_of({"true"});
    starts_->add(first);
    starts_->add(second);
    EXPECT_TRUE(starts_->withdraw(*first));
    EXPECT_FALSE(starts_->withdraw(*first));
    starts_->make();
    EXPECT_FALSE(starts_->withdraw(*second)) << "it is made";
    EXPECT_EQ(starts_->take(), std::vector<RankStarts::Start>{second});
    wait_for(second->outcome.spawned.pid);
}

TEST_F(RankStartsTest, what_was_made_and_not_taken_is_killed_when_they_are_closed) {
    const auto first = start_of({"sleep", "1000"});
    const auto second = start_of({"sleep", "1000"});
    starts_->add(first);
    starts_->make();
    starts_->add(second);
    starts_->close();
    starts_->make();
    io_.run();
    EXPECT_EQ(told_, 0);
    EXPECT_EQ(wait_for(first->outcome.spawned.pid).value, SIGKILL);
    EXPECT_LE(second->outcome.spawned.pid, 0);
}

TEST_F(RankStartsTest, a_killed_start_runs_nothing_and_its_rank_is_one_that_was_killed) {
    const auto start = start_of({"true"});
    start->kill();
    EXPECT_FALSE(start->signal(SIGTERM)) << "there is no process yet";
    starts_->add(start);
    starts_->make();
    ASSERT_TRUE(start->outcome.failure);
    EXPECT_EQ(start->outcome.failure->status, (ExitStatus{ExitStatus::Kind::signalled, SIGKILL}));
}

}  // namespace
}  // namespace launch
