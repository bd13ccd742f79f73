// SPDX-License-Identifier: MIT
// Whole sessions in one process: clients come, run jobs and go, while hosts are lost and links
// break.

#include "tests/unit/core/harness/session_world.hpp"

#include <csignal>
#include <gtest/gtest.h>

#include "core/link/patience.hpp"
#include "tests/unit/core/harness/a_job.hpp"
#include "tests/unit/core/harness/job_world.hpp"
#include "tests/unit/core/harness/shown_lines.hpp"

namespace launch {
namespace {

/// Four hosts with a slot each.
struct ASession : testing::Test {
    using Kind = SessionAnswer::Kind;
    std::vector<Kind> answers;  ///< to what users have asked
    SessionWorld world{JobWorld::spec(4, 1, "kary:2")};

    /// A job with so many ranks, each of which follows the script.
    SessionWorld::Client& begin(uint32_t count, const RankScript& script) {
        auto& client = world.begin(count);
        for (uint32_t rank = 0; rank < count; ++rank)
            world.ranks.scripts[client.rank(rank)] = script;
        return client;
    }
    using Counts = std::map<RankName, uint32_t>;
    /// How many lines of each rank the client's user has seen.
    Counts shown(const SessionWorld::Client& client) {
        const ShownLines shown(client.user, world.ranks);
        EXPECT_EQ(shown.fault, "");
        return shown.count;
    }
    NodeIndex host_of(const SessionWorld::Client& client, uint32_t rank) {
        return world.ranks.lives[client.rank(rank)].node;
    }
    void ask(SessionRequest request) {
        world.ask(std::move(request),
                  [this](const SessionAnswer& answer) { answers.push_back(answer.kind); });
    }
    bool hear(size_t count) {
        return world.until([&] { return answers.size() >= count; });
    }
    bool come_up() {
        return world.until([this] { return world.is_ready(); });
    }
    /// A user adds n5, which comes, and n6, which does not answer.
    bool add_five_and_six() {
        world.network.login = [](NodeIndex node) {
            return Login{node == 6 ? Login::Answer::none : Login::Answer::accepts, {}};
        };
        ask(AddRequest{Network::hosts({5, 6}), false});
        return world.until([this] { return world.hosts_up() == 5; });
    }
    void expect_five_to_stay() {
        world.simulation.run_for(seconds{5});
        EXPECT_EQ(world.hosts_up(), 5U);
        EXPECT_TRUE(world.finish());
    }
};

RankScript rests_and_writes(milliseconds time, uint32_t lines) {
    RankScript script;
    script.steps = {{Does::rest, static_cast<uint32_t>(time.count())}, {Does::write, lines}};
    return script;
}

TEST_F(ASession, runs_jobs_side_by_side_each_with_its_own_output) {
    ASSERT_TRUE(come_up());
    auto& one = begin(2, rests_and_writes(milliseconds{500}, 1));
    auto& two = begin(2, rests_and_writes(milliseconds{500}, 2));
    ASSERT_TRUE(world.until([&] { return one.is_over() && two.is_over(); }));
    EXPECT_EQ(one.exit_code(), 0) << one.user.err();
    EXPECT_EQ(two.exit_code(), 0) << two.user.err();
    EXPECT_EQ(shown(one), (Counts{{one.rank(0), 1}, {one.rank(1), 1}}));
    EXPECT_EQ(shown(two), (Counts{{two.rank(0), 2}, {two.rank(1), 2}}));
    EXPECT_EQ(world.network.started.size(), 4U) << "each host once";
    EXPECT_TRUE(world.finish());
}

TEST_F(ASession, lets_a_job_wait_until_there_are_slots) {
    ASSERT_TRUE(come_up());
    auto& one = begin(3, rests_and_writes(seconds{5}, 1));
    auto& two = world.begin(2);
    ASSERT_TRUE(world.until([&] { return two.is_over(); }));
    EXPECT_TRUE(one.is_over());
    EXPECT_EQ(two.exit_code(), 0);
    const auto& lives = world.ranks.lives;
    EXPECT_GE(lives.at(two.rank(0)).began_at, lives.at(one.rank(0)).ended_at);
    EXPECT_TRUE(world.finish());
}

TEST_F(ASession, lets_other_jobs_go_on_where_one_is_interrupted) {
    ASSERT_TRUE(come_up());
    auto& one = begin(2, rests_and_writes(seconds{60}, 1));
    auto& two = begin(2, rests_and_writes(seconds{3}, 1));
    world.after(seconds{1}, [&one] { one.user.send(SIGINT); });
    ASSERT_TRUE(world.until([&] { return one.is_over() && two.is_over(); }));
    EXPECT_EQ(one.exit_code(), 128 + SIGINT);
    EXPECT_EQ(two.exit_code(), 0);
    EXPECT_TRUE(world.ranks.lives[two.rank(0)].signals.empty());
    EXPECT_TRUE(world.finish());
}

/// The session starts the host again, and the next job uses it.
TEST_F(ASession, ends_only_the_job_whose_host_is_lost_and_starts_that_host_again) {
    ASSERT_TRUE(come_up());
    auto& one = begin(2, rests_and_writes(seconds{60}, 1));
    auto& two = begin(2, rests_and_writes(seconds{5}, 1));
    ASSERT_TRUE(world.until([&] { return host_of(one, 1) != 0 && host_of(two, 1) != 0; }));
    const NodeIndex lost = host_of(one, 1);
    world.after(seconds{1}, [&] { world.network.kill(*world.network.running(lost)); });
    ASSERT_TRUE(world.until([&] { return one.is_over() && two.is_over(); }));
    EXPECT_EQ(one.exit_code(), 69);
    EXPECT_NE(one.user.err().find(Network::name_of(lost)), std::string::npos) << one.user.err();
    EXPECT_EQ(two.exit_code(), 0) << two.user.err();
    ASSERT_TRUE(world.until([&] { return world.hosts_up() == 4; }));
    auto& three = world.begin(4);
    ASSERT_TRUE(world.until([&] { return three.is_over(); }));
    EXPECT_EQ(three.exit_code(), 0) << three.user.err();
    EXPECT_TRUE(world.finish());
}

/// It is started once, and whoever asks for it hears when it runs.
TEST_F(ASession, waits_for_a_host_that_is_being_started_where_somebody_adds_it) {
    ASSERT_TRUE(come_up());
    world.network.login = [](NodeIndex) { return Login{Login::Answer::accepts, seconds{5}}; };
    const AddRequest add{Network::hosts({5}), false};
    ask(add);
    const auto begun = Clock::now();
    world.simulation.run_for(seconds{1});
    ask(add);
    ASSERT_TRUE(hear(1));
    EXPECT_EQ(world.hosts_up(), 5U);
    ASSERT_TRUE(hear(2));
    EXPECT_EQ(Clock::now() - begun, seconds{5});
    ask(add);
    ASSERT_TRUE(hear(3));
    EXPECT_EQ(answers, (std::vector{Kind::done, Kind::done, Kind::unknown_hosts})) << "it runs";
    EXPECT_EQ(world.network.started.size(), 5U);
    EXPECT_TRUE(world.finish());
}

/// Both users wait for the start of one that does not answer.
TEST_F(ASession, tells_all_who_add_a_host_that_it_has_not_come) {
    ASSERT_TRUE(come_up());
    world.network.login = [](NodeIndex node) {
        return Login{node == 5 ? Login::Answer::none : Login::Answer::accepts, {}};
    };
    const std::vector<Host> one = Network::hosts({5});
    ask(AddRequest{one, true});
    world.simulation.run_for(seconds{1});
    ask(AddRequest{one, false});
    ASSERT_TRUE(hear(2));
    EXPECT_EQ(answers, (std::vector{Kind::hosts_failed, Kind::hosts_failed}));
    world.network.login = [](NodeIndex) { return Login(); };
    EXPECT_TRUE(world.until([&] { return world.hosts_up() == 5; })) << "the first still wants it";
    EXPECT_TRUE(world.finish());
}

/// The first user's n6 does not come, so that all is undone that only this user wanted.
TEST_F(ASession, keeps_a_host_that_another_user_has_added_as_well) {
    ASSERT_TRUE(come_up());
    world.network.login = [](NodeIndex node) {
        const bool answers = node != 6;
        return Login{answers ? Login::Answer::accepts : Login::Answer::none, seconds{2}};
    };
    ask(AddRequest{Network::hosts({5, 6}), false});
    world.simulation.run_for(seconds{1});
    ask(AddRequest{Network::hosts({5}), false});
    ASSERT_TRUE(hear(2));
    EXPECT_EQ(answers, (std::vector{Kind::done, Kind::hosts_failed}));
    expect_five_to_stay();
}

/// n5 is down when the second user adds it, and the first user still waits for n6.
TEST_F(ASession, keeps_a_host_that_another_user_has_repaired) {
    ASSERT_TRUE(come_up());
    world.network.login = [](NodeIndex node) {
        return Login{node == 6 ? Login::Answer::none : Login::Answer::refuses, {}};
    };
    ask(AddRequest{Network::hosts({5, 6}), false});
    world.simulation.run_for(milliseconds{100});
    world.network.login = [](NodeIndex) { return Login(); };
    ask(AddRequest{Network::hosts({5}), false});
    ASSERT_TRUE(hear(2));
    EXPECT_EQ(answers, (std::vector{Kind::done, Kind::hosts_failed}));
    expect_five_to_stay();
}

/// n5 is up, and would leave again with n6, which does not come.
TEST_F(ASession, keeps_a_host_that_another_user_adds_though_it_is_up) {
    ASSERT_TRUE(come_up());
    ASSERT_TRUE(add_five_and_six());
    ask(AddRequest{Network::hosts({5}), false});
    ASSERT_TRUE(hear(2));
    EXPECT_EQ(answers, (std::vector{Kind::done, Kind::hosts_failed}));
    expect_five_to_stay();
}

/// A user takes n5 out and another one adds it, while the first user still waits for n6.
TEST_F(ASession, keeps_a_host_that_has_come_again_for_somebody_else) {
    ASSERT_TRUE(come_up());
    ASSERT_TRUE(add_five_and_six());
    ask(RemoveRequest{Network::hosts({5}), RemoveRequest::When::unused});
    ASSERT_TRUE(hear(1));
    ask(AddRequest{Network::hosts({5}), false});
    ASSERT_TRUE(hear(3));
    EXPECT_EQ(answers, (std::vector{Kind::done, Kind::done, Kind::hosts_failed}));
    expect_five_to_stay();
}

/// One has a rank that takes a second to end, the others are idle.
TEST_F(ASession, gives_no_job_a_host_that_leaves_with_one_that_is_used) {
    ASSERT_TRUE(come_up());
    RankScript script = rests_and_writes(seconds{60}, 1);
    script.ends_after = seconds{1};
    auto& one = begin(1, script);
    ASSERT_TRUE(world.until([&] { return host_of(one, 0) != 0; }));
    ask(RemoveRequest{Network::hosts({1, 2, 3, 4}), RemoveRequest::When::now});
    world.simulation.run_for(milliseconds{100});
    EXPECT_EQ(answers.size(), 0U) << "the used one has yet to leave";
    EXPECT_EQ(world.hosts_up(), 0U);
    ASSERT_TRUE(hear(1));
    EXPECT_EQ(answers, std::vector{Kind::done});
    EXPECT_TRUE(world.finish());
}

/// n2 and n3 leave at the same moment, as their jobs end together; n4 below them has another job.
TEST_F(ASession, loses_no_job_below_hosts_that_leave_one_below_the_other) {
    SessionWorld chain{JobWorld::spec(4, 1, "chain")};
    ASSERT_TRUE(chain.until([&] { return chain.is_ready(); }));
    const RankScript scripts[] = {rests_and_writes(seconds{1}, 1), rests_and_writes(seconds{9}, 1)};
    auto& three = chain.begin(3);
    for (uint32_t rank = 0; rank < 3; ++rank)
        chain.ranks.scripts[three.rank(rank)] = scripts[0];
    ASSERT_TRUE(chain.until([&] { return chain.ranks.lives[three.rank(2)].runs; }));
    auto& one = chain.begin(1);
    chain.ranks.scripts[one.rank(0)] = scripts[1];
    ASSERT_TRUE(chain.until([&] { return chain.ranks.lives[one.rank(0)].runs; }));
    ASSERT_EQ(chain.ranks.lives[one.rank(0)].node, 4U);
    for (const NodeIndex host : {2U, 3U})
        chain.ask(RemoveRequest{Network::hosts({host}), RemoveRequest::When::when_idle},
                  [](const SessionAnswer&) {});
    ASSERT_TRUE(chain.until([&] { return three.is_over() && one.is_over(); }));
    EXPECT_EQ(three.exit_code(), 0) << three.user.err();
    EXPECT_EQ(one.exit_code(), 0) << one.user.err();
    EXPECT_EQ(chain.hosts_up(), 2U);
    EXPECT_TRUE(chain.finish());
    EXPECT_TRUE(world.finish());
}

/// It is about to be lost, for instance. The hosts of the job have said all that there is.
TEST_F(ASession, waits_at_the_end_of_a_job_for_no_host_on_which_it_did_not_run) {
    ASSERT_TRUE(come_up());
    Accidents accidents(
        world.network, [](size_t) { return 0U; }, nullptr);
    accidents.freeze(4);
    const auto begun = Clock::now();
    auto& one = begin(1, rests_and_writes(milliseconds{0}, 1));
    ASSERT_TRUE(world.until([&] { return one.is_over(); }));
    EXPECT_EQ(one.exit_code(), 0) << one.user.err();
    EXPECT_LT(Clock::now() - begun, milliseconds{100});
    accidents.let_go();
    auto& four = world.begin(4);
    ASSERT_TRUE(world.until([&] { return four.is_over(); }));
    EXPECT_EQ(four.exit_code(), 0) << four.user.err();
    EXPECT_TRUE(world.finish());
}

/// By the grace of the job, not by what ranks have whose head is gone.
TEST_F(ASession, gives_ranks_on_a_host_that_leaves_now_their_grace) {
    ASSERT_TRUE(come_up());
    RankScript slow = rests_and_writes(seconds{60}, 1);
    slow.ends_after = seconds{3};
    RankScript stubborn = slow;
    stubborn.ends_after.reset();
    const struct {
        RankScript script;
        seconds takes;
        bool is_killed;
    } rows[] = {{slow, seconds{3}, false}, {stubborn, seconds{5}, true}};
    for (const auto& row : rows) {
        auto& client = begin(1, row.script);
        ASSERT_TRUE(world.until([&] { return host_of(client, 0) != 0; }));
        const NodeIndex host = host_of(client, 0);
        const auto ordered_at = Clock::now();
        ask(RemoveRequest{Network::hosts({host}), RemoveRequest::When::now});
        ASSERT_TRUE(world.until([&] { return client.is_over(); }));
        EXPECT_EQ(client.exit_code(), 69);
        EXPECT_NE(client.user.err().find(Network::name_of(host)), std::string::npos);
        const RankLife& life = world.ranks.lives[client.rank(0)];
        ASSERT_TRUE(world.until([&] { return !life.runs; }));
        EXPECT_EQ(std::chrono::floor<seconds>(life.ended_at - ordered_at), row.takes);
        EXPECT_EQ(life.signals.back().number == SIGKILL, row.is_killed);
    }
    ASSERT_TRUE(hear(2));
    EXPECT_EQ(world.hosts_up(), 2U);
    EXPECT_TRUE(world.finish());
}

/// Hosts join, one of the start with others below it and one that has joined are lost and come
/// back, and jobs run on all that there are, along links that have changed each time.
TEST_F(ASession, has_a_routing_tree_that_follows_hosts_as_they_come_and_go) {
    JobSpec spec = JobWorld::spec(4, 1, "kary:2");
    spec.routing = "chain";
    SessionWorld routed(std::move(spec));
    const auto runs_on_all = [&routed](uint32_t hosts) {
        auto& client = routed.begin(hosts);
        for (uint32_t rank = 0; rank < hosts; ++rank)
            routed.ranks.scripts[client.rank(rank)] = repeats(3, {{Does::fence, 1}});
        EXPECT_TRUE(routed.until([&] { return client.is_over(); }));
        EXPECT_EQ(client.exit_code(), 0) << client.user.err();
        for (uint32_t rank = 0; rank < hosts; ++rank)
            EXPECT_EQ(routed.ranks.lives[client.rank(rank)].fences, 3U) << hosts;
    };
    const auto changes = [&routed](const SessionRequest& request) {
        bool done = false;
        routed.ask(request, [&done](const SessionAnswer& answer) {
            EXPECT_EQ(answer.kind, SessionAnswer::Kind::done);
            done = true;
        });
        EXPECT_TRUE(routed.until([&done] { return done; }));
    };
    ASSERT_TRUE(routed.until([&] { return routed.is_ready(); }));
    runs_on_all(4);
    changes(AddRequest{Network::hosts({5, 6}), false});
    runs_on_all(6);
    for (const NodeIndex lost : {2U, 5U}) {
        auto& beside = routed.begin(6);
        for (uint32_t rank = 0; rank < 6; ++rank)
            routed.ranks.scripts[beside.rank(rank)] = rests(seconds{60});
        ASSERT_TRUE(routed.until([&] { return routed.ranks.lives[beside.rank(5)].runs; }));
        routed.network.kill(*routed.network.running(lost));
        ASSERT_TRUE(routed.until([&] { return beside.is_over(); }));
        EXPECT_EQ(beside.exit_code(), 69);
        ASSERT_TRUE(routed.until([&] { return routed.hosts_up() == 6; }));
        runs_on_all(6);
    }
    changes(RemoveRequest{Network::hosts({3}), RemoveRequest::When::unused});
    runs_on_all(5);
    EXPECT_TRUE(routed.finish());
    EXPECT_TRUE(world.finish());
}

TEST_F(ASession, keeps_a_host_that_was_to_leave_where_a_user_adds_it) {
    ASSERT_TRUE(come_up());
    auto& one = begin(4, rests_and_writes(seconds{5}, 1));
    ASSERT_TRUE(world.until([&] { return host_of(one, 3) != 0; }));
    const std::vector<Host> hosts = Network::hosts({2});
    ask(RemoveRequest{hosts, RemoveRequest::When::when_idle});
    ASSERT_TRUE(hear(1));
    ask(AddRequest{hosts, false});
    ASSERT_TRUE(hear(2));
    EXPECT_EQ(answers, (std::vector{Kind::done, Kind::done}));
    auto& two = world.begin(4);
    ASSERT_TRUE(world.until([&] { return two.is_over(); }));
    EXPECT_EQ(two.exit_code(), 0) << two.user.err();
    EXPECT_EQ(world.network.started.size(), 4U);
    EXPECT_TRUE(world.finish());
}

/// The number of a host that never ran is for that host only, as the session still knows it by
/// that.
TEST_F(ASession, tells_hosts_apart_that_could_not_be_started) {
    ASSERT_TRUE(come_up());
    world.network.login = [](NodeIndex node) {
        return Login{node == 5 ? Login::Answer::refuses : Login::Answer::accepts, {}};
    };
    ask(AddRequest{Network::hosts({5}), true});
    ASSERT_TRUE(hear(1));
    ask(AddRequest{Network::hosts({6}), false});
    ASSERT_TRUE(hear(2));
    EXPECT_EQ(world.hosts_up(), 5U);
    ask(RemoveRequest{Network::hosts({5}), RemoveRequest::When::now});
    ASSERT_TRUE(hear(3));
    EXPECT_EQ(world.hosts_up(), 5U) << "n6 is not n5";
    EXPECT_EQ(answers, (std::vector{Kind::hosts_failed, Kind::done, Kind::done}));
    auto& one = world.begin(5);
    ASSERT_TRUE(world.until([&] { return one.is_over(); }));
    EXPECT_EQ(one.exit_code(), 0) << one.user.err();
    EXPECT_TRUE(world.finish());
}

/// It has the number that it had in vain, and n2, which stands still, leaves for so long.
TEST_F(ASession, keeps_a_host_that_came_at_the_second_call_while_another_one_leaves) {
    ASSERT_TRUE(come_up());
    const auto cables = world.network.running(2)->cables;
    for (const auto& [cable, side] : cables)
        cable->hold(true);
    ask(RemoveRequest{Network::hosts({2}), RemoveRequest::When::when_idle});
    world.network.login = [](NodeIndex) { return Login{Login::Answer::refuses, {}}; };
    ask(AddRequest{Network::hosts({5}), false});
    ASSERT_TRUE(hear(1));
    world.network.login = [](NodeIndex) { return Login(); };
    ask(AddRequest{Network::hosts({5}), false});
    ASSERT_TRUE(hear(2));
    EXPECT_EQ(answers, (std::vector{Kind::hosts_failed, Kind::done}));
    for (const auto& [cable, side] : cables)
        cable->hold(false);
    ASSERT_TRUE(hear(3));
    auto& one = world.begin(4);
    ASSERT_TRUE(world.until([&] { return one.is_over(); }));
    EXPECT_EQ(one.exit_code(), 0) << one.user.err();
    EXPECT_TRUE(world.finish());
}

/// It is out of reach for the call by which it makes its direct link, and in reach after that.
TEST_F(ASession, has_no_relay_left_on_a_host_that_gave_itself_up) {
    auto spec = JobWorld::spec(3, 1, "chain");
    spec.policies.links.choice = LinkChoice::direct;
    SessionWorld chain{spec};
    chain.network.out_of_reach = {2};
    ASSERT_TRUE(chain.until([&] { return chain.network.running(2) != nullptr; }));
    const Process& first = *chain.network.running(2);
    ASSERT_TRUE(chain.until([&] { return !first.lives(); })) << "it stays beside the next one";
    chain.network.out_of_reach.clear();
    ASSERT_TRUE(chain.until([&] { return chain.is_ready() && chain.hosts_up() == 3; }));
    auto& one = chain.begin(3);
    ASSERT_TRUE(chain.until([&] { return one.is_over(); }));
    EXPECT_EQ(one.exit_code(), 0) << one.user.err();
    EXPECT_TRUE(chain.finish());
    EXPECT_TRUE(world.finish());
}

TEST_F(ASession, loses_no_output_where_a_link_breaks_and_none_of_its_ranks) {
    ASSERT_TRUE(come_up());
    auto& one = begin(4, rests_and_writes(seconds{2}, 200));
    const auto frames = std::make_shared<int>(0);
    world.network.watch = [this, frames](Cable& cable, Cable::Side from, FrameType type) {
        const Process* const process = world.network.user_of(cable, from);
        const bool is_output =
            type == FrameType::output && process != nullptr && process->node == 1;
        return is_output && ++*frames == 3 ? std::optional(Break::At::middle) : std::nullopt;
    };
    ASSERT_TRUE(world.until([&] { return one.is_over(); }));
    EXPECT_EQ(one.exit_code(), 0) << one.user.err();
    EXPECT_EQ(std::count(one.user.out().begin(), one.user.out().end(), '\n'), 4 * 200);
    EXPECT_GT(*frames, 3) << "no link broke";
    EXPECT_TRUE(world.finish());
}

TEST_F(ASession, that_is_ordered_to_end_ends_its_jobs_and_tells_their_users) {
    ASSERT_TRUE(come_up());
    auto& one = begin(4, rests_and_writes(seconds{600}, 1));
    ASSERT_TRUE(world.until([&] { return host_of(one, 3) != 0; }));
    EXPECT_TRUE(world.finish());
    EXPECT_TRUE(one.is_over());
    EXPECT_EQ(one.exit_code(), 69);
    EXPECT_NE(one.user.err().find("session played has ended"), std::string::npos) << one.user.err();
    for (uint32_t rank = 0; rank < 4; ++rank)
        EXPECT_FALSE(world.ranks.lives[one.rank(rank)].runs) << rank;
}

/// Its own job alone waits for its reader. Both jobs have a rank on n2.
TEST_F(ASession, runs_other_jobs_while_a_user_does_not_read) {
    EXPECT_TRUE(world.finish());
    SessionWorld shared{JobWorld::spec(4, 2, "kary:2")};
    ASSERT_TRUE(shared.until([&] { return shared.is_ready(); }));
    auto& one = shared.begin(3);
    auto& two = shared.begin(3);
    for (uint32_t rank = 0; rank < 3; ++rank) {
        shared.ranks.scripts[one.rank(rank)].steps = {{Does::write, 20'000}};
        RankScript& script = shared.ranks.scripts[two.rank(rank)];
        script = repeats(20, {{Does::fence, 1}, {Does::rest, 100}});
        script.steps.push_back({Does::write, 2000});
    }
    one.user.rest(seconds{20});
    ASSERT_TRUE(shared.until([&] { return two.is_over(); }));
    EXPECT_EQ(two.exit_code(), 0) << two.user.err();
    EXPECT_LT(two.ended_at() - SimulatedTime::beginning, seconds{3});
    EXPECT_EQ(std::count(two.user.out().begin(), two.user.out().end(), '\n'), 3 * 2000);
    EXPECT_EQ(shared.ranks.lives[one.rank(2)].node, shared.ranks.lives[two.rank(0)].node);
    ASSERT_TRUE(shared.until([&] { return one.is_over(); }));
    EXPECT_EQ(one.exit_code(), 0) << one.user.err();
    EXPECT_EQ(std::count(one.user.out().begin(), one.user.out().end(), '\n'), 3 * 20'000);
    EXPECT_TRUE(shared.finish());
}

}  // namespace
}  // namespace launch
