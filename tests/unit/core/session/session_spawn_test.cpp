// SPDX-License-Identifier: MIT
// Ranks of a session's job that ask the session for processes and for hosts.

#include <csignal>
#include <gtest/gtest.h>

#include "tests/unit/core/harness/a_job.hpp"
#include "tests/unit/core/harness/session_world.hpp"

namespace launch {
namespace {

/// Four hosts with a slot each, which are up, and a job whose only rank asks for more.
struct ARankInASession : testing::Test {
    SessionWorld world{JobWorld::spec(4, 1, "kary:2")};
    SessionWorld::Client* job = nullptr;

    void SetUp() override {
        ASSERT_TRUE(world.until([this] { return world.is_ready(); }));
        world.ranks.of_spawned = [] { return rests(seconds{1}); };
    }
    void begin(std::vector<RankScript::Step> steps) {
        job = &world.begin(1);
        world.ranks.scripts[job->rank(0)].steps = std::move(steps);
    }
    bool run_to_end() {
        return world.until([this] { return job->is_over(); });
    }
    const RankLife& life() { return world.ranks.lives[job->rank(0)]; }
    /// Rank `rank` of the `spawn`th spawn of the job.
    const RankLife& spawned(uint32_t spawn, uint32_t rank) {
        return world.ranks.lives[{job->rank(0).job, spawn, rank}];
    }
    void expect_end(int code, const std::string& told) {
        ASSERT_TRUE(run_to_end());
        EXPECT_EQ(job->exit_code(), code);
        EXPECT_EQ(job->user.err(), told);
        EXPECT_TRUE(world.finish());
    }
};

TEST_F(ARankInASession, gets_processes_on_slots_of_their_own) {
    begin({{Does::spawn, 3}, {Does::rest, 500}});
    world.until([&] { return life().spawned > 0; });
    const SessionState state = world.state();
    for (const SessionHost& host : state.hosts)
        EXPECT_EQ(host.used, 1U) << host.host.name;
    expect_end(0, "");
    for (uint32_t rank = 0; rank < 3; ++rank)
        EXPECT_EQ(spawned(1, rank).starts, 1);
    EXPECT_GE(job->ended_at(), spawned(1, 0).ended_at) << "they belong to the job";
}

/// The rank hears that they have ended before their slots are free.
TEST_F(ARankInASession, gets_the_slots_of_processes_that_have_just_ended) {
    world.ranks.of_spawned = [] { return RankScript(); };
    begin({{Does::spawn, 3}, {Does::spawn, 3}, {Does::spawn, 3}});
    expect_end(0, "");
    EXPECT_EQ(life().spawned, 9U);
    EXPECT_EQ(spawned(3, 2).starts, 1);
}

TEST_F(ARankInASession, hears_within_two_seconds_that_there_are_too_few_slots) {
    begin({{Does::spawn, 3}, {Does::spawn, 1}});
    world.ranks.of_spawned = [] { return rests(seconds{10}); };
    ASSERT_TRUE(world.until([&] { return !job->user.err().empty(); }));
    EXPECT_EQ(life().spawned, 3U);
    EXPECT_GE(Clock::now() - life().done_at[0], seconds{2});
    EXPECT_LT(Clock::now() - life().done_at[0], seconds{3});
    EXPECT_NE(job->user.err().find("rank 0 could not start more processes"), std::string::npos)
        << job->user.err();
    ASSERT_TRUE(run_to_end());
    EXPECT_EQ(job->exit_code(), 0);
    EXPECT_TRUE(world.finish());
}

TEST_F(ARankInASession, gets_hosts_that_stay_with_the_session_until_a_rank_releases_them) {
    begin({{Does::grow, 5}, {Does::spawn, 4}, {Does::rest, 2000}, {Does::release, 5}});
    ASSERT_TRUE(world.until([&] { return life().spawned > 0; }));
    EXPECT_EQ(life().grown, std::vector<NodeIndex>{5});
    EXPECT_EQ(world.hosts_up(), 5U);
    ASSERT_TRUE(run_to_end());
    EXPECT_EQ(world.hosts_up(), 4U);
    EXPECT_EQ(world.network.started.size(), 5U);
    expect_end(0, "");
}

TEST_F(ARankInASession, leaves_the_hosts_that_it_got_to_other_jobs) {
    begin({{Does::grow, 5}});
    ASSERT_TRUE(run_to_end());
    auto& other = world.begin(5);
    ASSERT_TRUE(world.until([&] { return other.is_over(); }));
    EXPECT_EQ(other.exit_code(), 0) << other.user.err();
    EXPECT_EQ(world.hosts_up(), 5U);
    EXPECT_TRUE(world.finish());
}

TEST_F(ARankInASession, may_not_release_a_host_on_which_another_job_runs) {
    auto& other = world.begin(3);
    for (uint32_t rank = 0; rank < 3; ++rank)
        world.ranks.scripts[other.rank(rank)] = rests(seconds{5});
    ASSERT_TRUE(world.until([&] { return world.ranks.lives[other.rank(2)].runs; }));
    begin({{Does::release, world.ranks.lives[other.rank(2)].node}});
    ASSERT_TRUE(run_to_end());
    EXPECT_NE(job->user.err().find("rank 0 could not release hosts"), std::string::npos)
        << job->user.err();
    EXPECT_EQ(world.hosts_up(), 4U);
    EXPECT_TRUE(world.finish());
}

TEST_F(ARankInASession, shares_a_signal_from_elsewhere_with_the_processes_that_it_got) {
    world.ranks.of_spawned = [] { return rests(seconds{60}); };
    begin({{Does::spawn, 2}});
    ASSERT_TRUE(world.until([&] { return life().status && spawned(1, 1).runs; }));
    const auto signalled_at = Clock::now();
    world.ask(SignalRequest{JobNumber{1}, {SIGTERM}}, [](const SessionAnswer& answer) {
        EXPECT_EQ(answer.kind, SessionAnswer::Kind::done);
    });
    ASSERT_TRUE(run_to_end());
    EXPECT_EQ(job->exit_code(), 128 + SIGTERM);
    EXPECT_LT(job->ended_at() - signalled_at, seconds{1});
    for (uint32_t rank = 0; rank < 2; ++rank)
        EXPECT_EQ(spawned(1, rank).signals.front().number, SIGTERM);
    EXPECT_TRUE(world.finish());
}

/// The host answers the login after ten seconds.
TEST_F(ARankInASession, is_not_waited_for_where_its_job_is_interrupted_while_a_host_comes) {
    world.network.login = [](NodeIndex) { return Login{Login::Answer::accepts, seconds{10}}; };
    begin({{Does::grow, 5}});
    ASSERT_TRUE(world.until([&] { return life().runs; }));
    const auto interrupted_at = Clock::now() + seconds{1};
    world.after(seconds{1}, [this] { job->user.send(SIGINT); });
    ASSERT_TRUE(run_to_end());
    EXPECT_EQ(job->exit_code(), 128 + SIGINT);
    EXPECT_LT(job->ended_at() - interrupted_at, milliseconds{100});
    EXPECT_TRUE(world.finish());
}

}  // namespace
}  // namespace launch
