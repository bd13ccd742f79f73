// SPDX-License-Identifier: MIT
// Whole runs of jobs, from the first connection to the exit code, as their users see them. Times
// are exact: they are those of `launch help failures` and `launch help signals`.

#include <algorithm>

#include "tests/unit/core/harness/a_job.hpp"

namespace launch {
namespace {

TEST_F(AJob, that_runs_well_shows_all_that_its_ranks_write_and_leaves_nothing) {
    with(JobWorld::spec(3, 2));
    for (uint32_t rank = 0; rank < 6; ++rank)
        world->ranks.scripts[rank].steps = {{Does::rest, 100}, {Does::write, 2}};
    EXPECT_EQ(world->play(), 0);
    EXPECT_EQ(world->user.out().size(), 6U * 2 * RankBook::line(0, 0).size());
    EXPECT_EQ(world->user.err(), "");
    EXPECT_EQ(world->ranks.lives.size(), 6U);
    for (const auto& [rank, life] : world->ranks.lives) {
        EXPECT_EQ(life.starts, 1) << rank;
        EXPECT_FALSE(life.runs) << rank;
    }
    EXPECT_EQ(world->network.open_ends(), 0);
    EXPECT_EQ(world->took(), milliseconds{100});
}

TEST_F(AJob, gives_each_rank_the_cards_of_all_others) {
    with(JobWorld::spec(5, 2, "kary:2"));
    for (uint32_t rank = 0; rank < 10; ++rank)
        world->ranks.scripts[rank].steps = {
            {Does::fence, 1}, {Does::rest, rank * 10}, {Does::fence, 7}, {Does::write, 1}};
    EXPECT_EQ(world->play(), 0) << world->user.err();
    for (const auto& [rank, life] : world->ranks.lives) {
        EXPECT_EQ(life.fences, 2U) << rank;
        EXPECT_EQ(life.wrong_card, "") << rank;
    }
    EXPECT_EQ(world->took(), milliseconds{90}) << "a fence waits for the last rank";
}

TEST_F(AJob, names_the_rank_that_leaves_the_others_in_a_fence) {
    with(JobWorld::spec(3));
    for (const uint32_t rank : {0U, 2U})
        world->ranks.scripts[rank].steps = {{Does::fence, 1}, {Does::fence, 1}};
    world->ranks.scripts[1].steps = {{Does::fence, 1}};
    world->ranks.scripts[1].leaves_rudely = true;
    EXPECT_EQ(world->play(), 76);
    EXPECT_TRUE(is_said("rank 1 on n2")) << world->user.err();
}

TEST_F(AJob, has_processes_that_its_ranks_spawn_where_slots_are_free) {
    JobSpec spec = JobWorld::spec(3);
    for (Host& host : spec.hosts)
        host.slots = 2;
    with(std::move(spec));
    world->ranks.scripts[1].steps = {{Does::spawn, 3}, {Does::spawn, 1}};
    world->ranks.of_spawned = [] {
        RankScript script;
        script.steps = {{Does::fence, 1}, {Does::rest, 10'000}};
        return script;
    };
    EXPECT_EQ(world->play(), 0) << world->user.err();
    EXPECT_EQ(world->ranks.lives[1].spawned, 3U) << "there is no slot for the fourth";
    for (uint32_t rank = 0; rank < 3; ++rank) {
        const RankLife& life = world->ranks.lives[{1, rank}];
        EXPECT_EQ(life.fences, 1U) << rank;
        EXPECT_EQ(life.wrong_card, "") << rank;
        EXPECT_EQ(life.node, rank + 1) << rank;
    }
    EXPECT_EQ(world->took(), seconds{10});
}

TEST_F(AJob, grows_by_a_host_for_which_a_rank_asks_and_lets_it_go_when_it_is_free) {
    with(JobWorld::spec(2));
    world->ranks.scripts[0].steps = {{Does::grow, 3},    {Does::spawn, 1}, {Does::release, 3},
                                     {Does::rest, 2000}, {Does::grow, 4},  {Does::release, 3}};
    world->ranks.of_spawned = [] { return rests(seconds{1}); };
    EXPECT_EQ(world->play(), 0) << world->user.err();
    EXPECT_EQ(world->ranks.lives[0].grown, (std::vector<NodeIndex>{3, 4}));
    EXPECT_EQ((world->ranks.lives[{1, 0}].node), 3U);
    EXPECT_EQ(world->user.err(),
              "launch: rank 0 could not release hosts: n3: release: "
              "processes of the job still run there\n");
    EXPECT_FALSE(world->hosts_that(&HostRecord::is_up).contains(3));
    EXPECT_EQ(world->took(), seconds{2});
}

/// Seed 6649 of RandomJobs: the head answered at once that the host had joined.
TEST_F(AJob, waits_for_a_host_that_is_being_started_where_a_rank_asks_for_it) {
    JobSpec spec = JobWorld::spec(3);
    spec.policies.start_early = true;
    with(std::move(spec));
    login(3, {Login::Answer::accepts, seconds{2}});
    login(4, {Login::Answer::accepts, seconds{2}});
    world->ranks.scripts[0].steps = {{Does::grow, 3}};
    world->ranks.scripts[1].steps = {{Does::rest, 3000}, {Does::grow, 4}};
    world->ranks.scripts[2].steps = {{Does::rest, 1500}, {Does::release, 4}};
    EXPECT_EQ(world->play(), 0) << world->user.err();
    EXPECT_EQ(world->ranks.lives[0].grown, (std::vector<NodeIndex>{3}));
    EXPECT_EQ(world->ranks.lives[0].ended_at - world->ranks.lives[0].began_at, seconds{2});
    EXPECT_EQ(world->ranks.lives[1].grown, (std::vector<NodeIndex>{4}));
    EXPECT_EQ(world->user.err(),
              "launch: rank 2 could not release hosts: n4: release: still being started\n");
}

TEST_F(AJob, does_not_wait_for_a_host_that_starts_where_the_ranks_have_been_interrupted) {
    with(JobWorld::spec(2));
    login(3, {Login::Answer::accepts, seconds{10}});
    world->ranks.scripts[0].steps = {{Does::grow, 3}};
    send_after(seconds{1}, SIGINT);
    EXPECT_EQ(world->play(), 128 + SIGINT);
    EXPECT_LT(world->took(), seconds{2});
}

TEST_F(AJob, keeps_going_with_ranks_that_start_when_all_others_have_failed) {
    JobSpec spec = JobWorld::spec(3);
    spec.policies.start_early = true;
    spec.policies.keep_going = true;
    with(std::move(spec));
    login(3, {Login::Answer::accepts, seconds{2}});
    all(fails(1));
    EXPECT_EQ(world->play(), 1) << world->user.err();
    EXPECT_EQ(started().size(), 3U);
}

/// Its number stays its own, as whoever asked for it may still know it by that.
TEST_F(AJob, takes_no_other_host_under_the_number_of_one_that_never_ran) {
    with(JobWorld::spec(2));
    login(3, {Login::Answer::refuses, {}});
    login(4, {});
    world->ranks.scripts[0].steps = {{Does::grow, 3}, {Does::grow, 4}, {Does::spawn, 1}};
    EXPECT_EQ(world->play(), 0) << world->user.err();
    EXPECT_EQ(world->ranks.lives[0].grown, (std::vector<NodeIndex>{4}));
    EXPECT_EQ((world->ranks.lives[{1, 0}].node), 4U);
    EXPECT_EQ(world->tree().hosts().name_of(3), "n3");
    EXPECT_EQ(world->tree().hosts().name_of(4), "n4");
}

TEST_F(AJob, ends_with_the_code_of_a_spawned_process_that_fails) {
    JobSpec spec = JobWorld::spec(2);
    spec.hosts[0].slots = spec.hosts[1].slots = 2;
    with(std::move(spec));
    world->ranks.scripts[0].steps = {{Does::spawn, 1}, {Does::rest, 60'000}};
    world->ranks.of_spawned = [] { return fails(5, seconds{1}); };
    EXPECT_EQ(world->play(), 5);
    EXPECT_TRUE(is_said("rank 1.0 on n1: ended with exit code 5")) << world->user.err();
    EXPECT_EQ(time_of(0, SIGTERM), seconds{1});
}

TEST_F(AJob, ends_with_the_code_of_the_rank_that_fails_first) {
    with(JobWorld::spec(3));
    all(rests(seconds{60}));
    world->ranks.scripts[1] = fails(3, seconds{1});
    EXPECT_EQ(world->play(), 3);
    EXPECT_TRUE(is_said("rank 1 on n2: ended with exit code 3"));
    EXPECT_EQ(time_of(0, SIGTERM), seconds{1});
    EXPECT_LE(world->took(), seconds{1} + no_time);
}

TEST_F(AJob, names_the_rank_that_failed_though_its_user_ends_it_then) {
    with(JobWorld::spec(2));
    world->ranks.scripts[0] = fails(3);
    world->ranks.scripts[1] = rests(seconds{60});
    world->ranks.scripts[1].ends_after = seconds{4};
    send_after(seconds{2}, SIGTERM);
    EXPECT_EQ(world->play(), 3);
    EXPECT_TRUE(is_said("rank 0 on n1: ended with exit code 3"));
}

TEST_F(AJob, says_of_no_rank_that_it_had_a_grace_where_its_user_insists) {
    with(JobWorld::spec(2));
    world->ranks.scripts[0] = fails(3);
    world->ranks.scripts[1] = rests(seconds{60});
    world->ranks.scripts[1].ends_after.reset();
    send_after(seconds{2}, SIGINT);
    send_after(seconds{3}, SIGINT);
    EXPECT_EQ(world->play(), 3);
    EXPECT_EQ(time_of(1, SIGKILL), seconds{3});
    EXPECT_TRUE(is_said("; 1 other rank was killed\n")) << world->user.err();
}

TEST_F(AJob, that_is_told_to_end_gives_its_ranks_their_grace_and_kills_them_then) {
    with(JobWorld::spec(3));
    all(rests(seconds{60}));
    world->ranks.scripts[1].ends_after.reset();
    send_after(seconds{10}, SIGTERM);
    EXPECT_EQ(world->play(), 128 + SIGTERM);
    EXPECT_EQ(time_of(0, SIGTERM), seconds{10});
    EXPECT_EQ(time_of(0, SIGKILL), Clock::duration::max());
    EXPECT_EQ(time_of(1, SIGKILL), seconds{15});
    EXPECT_TRUE(is_said("rank 1 on n2")) << world->user.err();
}

TEST_F(AJob, lets_ranks_answer_an_interrupt_and_kills_them_at_the_second) {
    with(JobWorld::spec(2));
    all(rests(seconds{60}));
    for (const uint32_t rank : {0U, 1U})
        world->ranks.scripts[rank].ends_after.reset();
    send_after(seconds{10}, SIGINT);
    send_after(seconds{20}, SIGINT);
    EXPECT_EQ(world->play(), 128 + SIGINT);
    EXPECT_EQ(time_of(1, SIGINT), seconds{10});
    EXPECT_GE(time_of(1, SIGKILL), seconds{20});
    EXPECT_LE(time_of(1, SIGKILL), seconds{20} + patience::stacks_of_killed);
}

/// Hosts in a routing tree look for their places before ranks start.
TEST_F(AJob, loses_no_host_where_it_is_told_to_end_while_hosts_change_their_parents) {
    for (int after_ms = 0; after_ms < 60; ++after_ms) {
        JobSpec spec = JobWorld::spec(4);
        spec.routing = "kary:2";
        with(std::move(spec));
        world->network.quality = [] { return LinkQuality{.latency = milliseconds{2}}; };
        all(rests(seconds{60}));
        send_after(milliseconds{after_ms}, SIGTERM);
        EXPECT_EQ(world->play(), 128 + SIGTERM);
        EXPECT_EQ(world->user.err(), "") << "told after " << after_ms << " ms";
        EXPECT_LE(world->took(), milliseconds{after_ms + 100});
    }
}

/// The head knows of no rank there, and tells all to leave.
TEST_F(AJob, gives_ranks_their_whole_grace_on_hosts_that_come_up_when_it_ends) {
    JobSpec spec = JobWorld::spec(6);
    spec.policies.start_early = true;
    with(std::move(spec));
    all(rests(seconds{60}));
    world->ranks.scripts[0] = fails(3);
    for (uint32_t rank = 1; rank < 6; ++rank)
        world->ranks.scripts[rank].ends_after = milliseconds{4500};
    EXPECT_EQ(world->play(), 3);
    EXPECT_EQ(world->took(), milliseconds{4500}) << "else no rank was asked to end";
    for (uint32_t rank = 1; rank < 6; ++rank)
        EXPECT_EQ(time_of(rank, SIGKILL), Clock::duration::max()) << rank;
}

TEST_F(AJob, lets_the_others_go_on_where_an_interrupted_rank_fails) {
    with(JobWorld::spec(3));
    all(rests(seconds{60}));
    for (const uint32_t rank : {0U, 2U})
        world->ranks.scripts[rank].ends_after.reset();
    send_after(seconds{10}, SIGINT);
    EXPECT_EQ(world->play(), 128 + SIGINT);
    EXPECT_EQ(world->took(), seconds{60});
    EXPECT_EQ(time_of(0, SIGTERM), Clock::duration::max());
}

/// It has a few seconds more to come back by another link.
TEST_F(AJob, notices_within_four_seconds_that_a_host_is_silent_and_names_it) {
    with(JobWorld::spec(4, 1, "flat"));
    all(rests(seconds{60}));
    freeze_after(seconds{10}, 3);
    EXPECT_EQ(world->play(), 69);
    EXPECT_TRUE(is_said("n3")) << world->user.err();
    const auto silent = milliseconds{4000};
    EXPECT_LE(time_of(0, SIGTERM),
              seconds{10} + silent + patience::come_back_from_silence(silent) + no_time);
}

TEST_F(AJob, notices_within_sixteen_seconds_while_hosts_are_still_being_started) {
    JobSpec spec = JobWorld::spec(4, 1, "flat");
    spec.policies.connect_timeout = seconds{30};
    with(std::move(spec));
    login(4, {Login::Answer::none});
    freeze_after(seconds{2}, 3);
    EXPECT_EQ(world->play(), 69);
    EXPECT_TRUE(is_said("n3: "));
    EXPECT_LE(world->took(), seconds{18} + patience::leave_head) << world->user.err();
}

/// The relay that nobody hears ends its rank by itself.
TEST_F(AJob, ends_on_a_host_that_is_cut_off_when_the_head_has_been_silent_for_too_long) {
    with(JobWorld::spec(2, 1, "flat"));
    all(rests(seconds{600}));
    freeze_after(seconds{10}, 2);
    EXPECT_EQ(world->play(), 69);
    EXPECT_GE(time_of(1, SIGTERM), seconds{10 + 30});
    EXPECT_LE(time_of(1, SIGTERM), seconds{10 + 33} + patience::renew);
}

TEST_F(AJob, goes_on_without_a_host_that_is_lost_where_it_is_to) {
    JobSpec spec = JobWorld::spec(3);
    spec.policies.host_loss = HostLoss::go_on;
    with(std::move(spec));
    for (const uint32_t rank : {0U, 1U, 2U})
        world->ranks.scripts[rank].steps = {{Does::rest, 20'000}, {Does::write, 1}};
    kill_after(seconds{10}, 1);
    EXPECT_EQ(world->play(), 69);
    EXPECT_EQ(world->user.out(), "1 1\n2 1\n");
    EXPECT_TRUE(is_said("n1: ")) << world->user.err();
    EXPECT_LE(world->took(), seconds{20} + no_time);
}

TEST_F(AJob, gives_a_host_that_does_not_answer_ten_seconds_and_names_it) {
    with(JobWorld::spec(3, 1, "flat"));
    login(2, {Login::Answer::none});
    EXPECT_EQ(world->play(), 69);
    EXPECT_TRUE(is_said("n2: connect: no answer"));
    EXPECT_TRUE(is_said("no rank was started"));
    EXPECT_TRUE(world->ranks.lives.empty());
    EXPECT_GE(world->took(), seconds{10});
    EXPECT_LE(world->took(), seconds{10} + no_time);
}

TEST_F(AJob, ends_when_its_time_is_over) {
    JobSpec spec = JobWorld::spec(2);
    spec.timeout = seconds{7};
    with(std::move(spec));
    all(rests(seconds{60}));
    EXPECT_EQ(world->play(), 124);
    EXPECT_GE(time_of(0, SIGTERM), seconds{7});
    EXPECT_LE(time_of(0, SIGTERM), seconds{7} + no_time);
}

TEST_F(AJob, loses_nothing_for_a_reader_who_rests_longer_than_silence_is_borne) {
    constexpr uint32_t lines = 5000;
    with(JobWorld::spec(3));
    for (const uint32_t rank : {0U, 1U, 2U})
        world->ranks.scripts[rank].steps = {{Does::write, lines}};
    world->user.rest(seconds{100});
    EXPECT_EQ(world->play(), 0);
    EXPECT_EQ(std::count(world->user.out().begin(), world->user.out().end(), '\n'), 3 * lines);
    EXPECT_GE(world->took(), seconds{100});
}

TEST_F(AJob, loses_nothing_of_spawned_processes_for_a_reader_who_rests) {
    constexpr uint32_t lines = 5000;
    JobSpec spec = JobWorld::spec(3);
    for (Host& host : spec.hosts)
        ++host.slots;
    with(std::move(spec));
    world->ranks.scripts[1].steps = {{Does::spawn, 3}};
    world->ranks.of_spawned = [] {
        RankScript script;
        script.steps = {{Does::write, lines}};
        return script;
    };
    world->user.rest(seconds{100});
    EXPECT_EQ(world->play(), 0) << world->user.err();
    EXPECT_EQ(std::count(world->user.out().begin(), world->user.out().end(), '\n'), 3 * lines);
    EXPECT_GE(world->took(), seconds{100});
}

TEST_F(AJob, that_is_told_to_end_waits_for_its_reader_for_two_graces_at_most) {
    with(JobWorld::spec(3));
    for (const uint32_t rank : {0U, 1U, 2U})
        world->ranks.scripts[rank].steps = {{Does::write, 5000}};
    world->user.rest(seconds{100});
    send_after(seconds{10}, SIGTERM);
    EXPECT_EQ(world->play(), 128 + SIGTERM);
    EXPECT_LE(world->took(), seconds{10 + 2 * 5} + seconds{1}) << world->user.err();
}

TEST_F(AJob, reads_no_more_input_than_a_rank_wants) {
    with(JobWorld::spec(2));
    world->ranks.scripts[0].steps = {{Does::rest, 1000}, {Does::read, 1u << 20}};
    world->user.type("all of it", true);
    EXPECT_EQ(world->play(), 0);
    EXPECT_EQ(world->ranks.lives[0].input, "all of it");
    EXPECT_TRUE(world->ranks.lives[0].has_all_input);
}

}  // namespace
}  // namespace launch
