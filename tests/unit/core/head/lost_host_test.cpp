// SPDX-License-Identifier: MIT
// Whole runs of jobs whose hosts are lost, at the start and later.

#include <algorithm>

#include "tests/unit/core/harness/a_job.hpp"

namespace launch {
namespace {

using Ranks = std::vector<uint32_t>;
const Login late{Login::Answer::accepts, seconds{5}};
const Login refuses{Login::Answer::refuses, {}};

JobSpec going_on(JobSpec spec) {
    spec.policies.host_loss = HostLoss::go_on;
    return spec;
}

JobSpec missing(JobSpec spec) {
    spec.allow_missing = true;
    spec.programs[0].ranks = 0;  // one on each host that is up
    return spec;
}

/// A job on hosts n1 to n4 in a chain, each of which has a rank that comes through five fences.
struct AChain : AJob {
    void with_chain(JobSpec (*how)(JobSpec)) {
        with(how(JobWorld::spec(4)));
        RankScript script;
        script.steps = {5, {Does::fence, 1}};
        all(script);
    }
};

TEST_F(AChain, starts_those_from_above_whose_host_is_lost_that_was_to_start_them) {
    with_chain(missing);
    login(2, late);
    kill_after(seconds{2}, 1);
    EXPECT_EQ(world->play(), 0) << world->user.err();
    EXPECT_TRUE(is_said("goes on without n1: 3 ranks on 3 hosts"));
    EXPECT_EQ(started(), (Ranks{0, 1, 2}));
    for (const auto& [rank, life] : world->ranks.lives)
        EXPECT_EQ(life.fences, 5U) << rank;
}

TEST_F(AChain, starts_who_survives_a_lost_host_once_and_keeps_the_lost_ranks_as_dead) {
    with_chain(going_on);
    login(2, late);
    kill_after(seconds{2}, 1);
    EXPECT_EQ(world->play(), 69);
    EXPECT_TRUE(is_said("launch: n1: run: ")) << world->user.err();
    EXPECT_TRUE(is_said("; its ranks are lost, the others go on\n"));
    EXPECT_EQ(started(), (Ranks{1, 2, 3}));
    for (const uint32_t rank : {1U, 2U, 3U})
        EXPECT_EQ(world->ranks.lives[rank].fences, 5U) << rank;
}

TEST_F(AChain, goes_on_with_its_fences_where_those_below_a_lost_host_come_to_another_parent) {
    for (const NodeIndex lost : {1U, 2U, 3U}) {
        with_chain(going_on);
        all(repeats(20, {{Does::fence, 1}, {Does::rest, 500}}));
        kill_after(milliseconds{3200}, lost);
        EXPECT_EQ(world->play(), 69);
        for (const auto& [rank, life] : world->ranks.lives)
            EXPECT_EQ(life.fences == 20U, life.node != lost) << rank << " without " << lost;
    }
}

TEST_F(AChain, does_without_a_relay_that_dies_before_the_ranks_start) {
    for (const NodeIndex lost : {1U, 2U, 3U}) {
        with_chain(missing);
        login(4, late);
        kill_after(seconds{2}, lost);
        EXPECT_EQ(world->play(), 0) << world->user.err();
        EXPECT_TRUE(is_said("goes on without n" + std::to_string(lost) + ": ")) << lost;
        EXPECT_EQ(started(), (Ranks{0, 1, 2})) << lost;
    }
}

/// Node 2 has its part of the tree, and has heard nothing else yet, when it has to go to the head.
TEST_F(AChain, loses_nobody_below_a_host_that_comes_to_another_parent_before_it_has_begun) {
    with_chain(missing);
    Cable* cable = nullptr;
    world->network.laid = [&](NodeIndex node, Cable& its) {
        if (node != 2 || cable != nullptr) return;
        cable = &its;
        its.break_at(Cable::Side::a, {Break::At::end, FrameType::subtree});
        world->network.ports.erase(world->network.port_of(1));
    };
    EXPECT_EQ(world->play(), 0) << world->user.err();
    EXPECT_EQ(world->user.err(), "");
    EXPECT_EQ(started(), (Ranks{0, 1, 2, 3}));
}

TEST_F(AChain, loses_no_host_by_a_link_that_breaks_before_the_ranks_start) {
    for (const NodeIndex node : {1U, 2U, 3U}) {
        with_chain(missing);
        login(4, late);
        world->after(seconds{2}, [this, node] {
            for (const auto& cable : world->network.between(node - 1, node))
                cable->cut();
        });
        EXPECT_EQ(world->play(), 0) << node;
        EXPECT_EQ(world->user.err(), "") << node;
        EXPECT_EQ(started(), (Ranks{0, 1, 2, 3}));
    }
}

TEST_F(AChain, has_each_host_that_lives_read_all_input_though_others_are_lost) {
    std::string text;
    for (int i = 0; i < 300'000; ++i)
        text += std::to_string(i) + "\n";
    for (const NodeIndex lost : {1U, 2U, 3U}) {
        JobSpec spec = going_on(JobWorld::spec(4));
        spec.policies.stdin_target.kind = StdinTarget::Kind::all;
        with(std::move(spec));
        RankScript script;
        const auto size = static_cast<uint32_t>(text.size());
        script.steps = {{Does::read, 100'000}, {Does::rest, 4000}, {Does::read, size}};
        all(script);
        world->user.type(text, true);
        kill_after(seconds{2}, lost);
        EXPECT_EQ(world->play(), 69);
        for (const auto& [rank, life] : world->ranks.lives)
            EXPECT_EQ(life.input == text, life.node != lost) << rank << " " << lost;
    }
}

TEST_F(AChain, has_its_last_host_read_all_input_past_one_that_is_cut_off) {
    std::string text(1u << 20, 'x');
    JobSpec spec = going_on(JobWorld::spec(4));
    spec.policies.stdin_target.rank = 3;
    with(std::move(spec));
    world->ranks.scripts[3].steps = {
        {Does::read, 100'000}, {Does::rest, 20'000}, {Does::read, 1u << 20}};
    world->user.type(text, true);
    for (const uint32_t rank : {0U, 1U, 2U})
        world->ranks.scripts[rank] = rests(seconds{10});
    freeze_after(seconds{2}, 2);
    EXPECT_EQ(world->play(), 69);
    EXPECT_EQ(world->ranks.lives[3].input.size(), text.size());
}

/// A host of the start whose slot is free, and one that joins.
TEST_F(AJob, loses_processes_that_were_spawned_with_their_host) {
    for (const auto policy : {HostLoss::abort, HostLoss::go_on}) {
        for (const NodeIndex lost : {2U, 3U}) {
            JobSpec spec = JobWorld::spec(2);
            spec.programs.front().ranks = 1;
            spec.policies.host_loss = policy;
            spec.allow_missing = true;  // the host without ranks stays
            with(std::move(spec));
            world->ranks.of_spawned = [] { return rests(seconds{60}); };
            world->ranks.scripts[0].steps = {{Does::grow, 3}, {Does::spawn, 2}, {Does::rest, 9000}};
            kill_after(seconds{1}, lost);
            EXPECT_EQ(world->play(), 69) << lost;
            EXPECT_EQ(world->ranks.lives[0].spawned, 2U);
            EXPECT_TRUE(is_said("launch: n" + std::to_string(lost) + ": run: ")) << lost;
            const bool goes_on = policy == HostLoss::go_on;
            EXPECT_EQ(is_said("ranks that were spawned there are lost"), goes_on)
                << world->user.err();
            EXPECT_EQ(world->took() > seconds{30}, goes_on) << "the other one has its time";
        }
    }
}

/// The first host of the chain dies before it has told of the second one, which stands still and is
/// started anew from above. When it wakes up it asks for a parent.
TEST_F(AChain, ends_a_relay_that_stood_still_while_another_one_took_its_place) {
    with_chain(missing);
    all(rests(seconds{20}));
    login(2, {Login::Answer::accepts, seconds{1}});
    login(3, late);
    world->after(milliseconds{500},
                 [this] { world->network.between(0, 1).front()->hold(Cable::Side::b, true); });
    freeze_after(seconds{2}, 2);
    world->after(seconds{2}, [this] {
        world->network.between(0, 1).front()->cut();
        accidents->kill(1);
    });
    world->after(seconds{7}, [this] {
        EXPECT_GT(world->network.relays(), 3U) << "two are on the second host";
        accidents->let_go();
    });
    world->after(seconds{15}, [this] { EXPECT_EQ(world->network.relays(), 3U); });
    EXPECT_EQ(world->play(), 0) << world->user.err();
    EXPECT_TRUE(is_said("goes on without n1: ")) << world->user.err();
    EXPECT_EQ(started(), (Ranks{0, 1, 2}));
}

/// It wakes up when those below it have another parent, and finds none for itself.
TEST_F(AChain, goes_on_without_a_host_that_stood_still_for_too_long_and_takes_nobody_along) {
    with_chain(going_on);
    all(repeats(20, {{Does::write, 1}, {Does::rest, 1000}}));
    freeze_after(seconds{3}, 2);
    world->after(seconds{12}, [this] { accidents->let_go(); });
    EXPECT_EQ(world->play(), 69);
    EXPECT_TRUE(is_said("launch: n2: run: the host no longer answers")) << world->user.err();
    for (const uint32_t rank : {0U, 2U, 3U})
        EXPECT_EQ(world->ranks.lives[rank].lines, 20U) << rank;
    EXPECT_EQ(std::count(world->user.err().begin(), world->user.err().end(), '\n'), 1);
}

/// Hosts 6 and 7 are below host 5 in both trees. Where one of them dies with it, the tree waits for
/// nobody at its end.
TEST_F(AJob, loses_no_other_host_where_one_dies_while_all_change_their_parents) {
    for (int i = 0; i < 90; ++i) {
        const milliseconds at{40 + i / 6};
        const int later = i % 6;  // by so many milliseconds host 7 dies; 0: it does not
        JobSpec spec = going_on(JobWorld::spec(7));
        spec.routing = "kary:2";
        with(std::move(spec));
        world->network.quality = [] { return LinkQuality{.latency = milliseconds{2}}; };
        all(rests(seconds{1}));
        kill_after(at, 5);
        if (later > 0) kill_after(at + milliseconds{later}, 7);
        world->play();
        EXPECT_FALSE(is_said("no confirmation")) << i << ": " << world->user.err();
        for (NodeIndex node = 1; node <= 7; ++node)
            EXPECT_EQ(world->tree().hosts().has_failed(node), accidents->killed().contains(node))
                << node << " in run " << i << "\n"
                << world->user.err();
    }
}

TEST_F(AChain, can_be_interrupted_at_its_start_after_a_loss) {
    for (const auto& how : {going_on, missing}) {
        with_chain(how);
        login(4, {Login::Answer::accepts, seconds{60}});
        kill_after(seconds{1}, 1);
        send_after(seconds{8}, SIGINT);
        EXPECT_EQ(world->play(), 130);
        EXPECT_TRUE(is_said("n1: run: ")) << world->user.err();
        EXPECT_EQ(started(), Ranks{});
    }
}

TEST_F(AJob, names_what_ends_it_after_a_loss_that_it_survived) {
    JobSpec spec = going_on(JobWorld::spec(3, 1, "flat"));
    spec.timeout = seconds{6};
    with(std::move(spec));
    all(rests(seconds{100}));
    kill_after(seconds{1}, 1);
    EXPECT_EQ(world->play(), 124);
    EXPECT_TRUE(is_said("launch: n1: run: "));
    EXPECT_TRUE(is_said("not done within --timeout 6 s; 2 ranks were still running"))
        << world->user.err();
}

TEST_F(AJob, has_the_exit_code_of_the_signal_that_ends_it_after_a_loss) {
    struct Row {
        int signal;
        bool is_deaf;  ///< its ranks end well then
        int code;
    };
    for (const Row& row :
         {Row{SIGINT, false, 130}, Row{SIGTERM, false, 143}, Row{SIGINT, true, 69}}) {
        with(going_on(JobWorld::spec(3, 1, "flat")));
        RankScript script = rests(seconds{30});
        if (row.is_deaf) script.ends_after.reset();
        all(script);
        kill_after(seconds{1}, 1);
        send_after(seconds{5}, row.signal);
        EXPECT_EQ(world->play(), row.code) << row.signal;
    }
}

TEST_F(AJob, says_of_nobody_that_it_goes_on_where_a_host_cannot_be_started) {
    with(going_on(JobWorld::spec(4, 1, "flat")));
    login(2, refuses);
    login(4, late);
    kill_after(seconds{1}, 1);
    EXPECT_EQ(world->play(), 69);
    EXPECT_TRUE(is_said("launch: n2: connect: connection refused")) << world->user.err();
    EXPECT_TRUE(is_said("launch: n1: run: "));
    EXPECT_FALSE(is_said("go on"));
    EXPECT_EQ(started(), Ranks{});
}

TEST_F(AJob, bears_the_loss_of_a_spare_that_nobody_needed) {
    JobSpec spec = JobWorld::spec(4, 1, "flat");
    spec.spares = 1;
    spec.programs[0].ranks = 3;
    with(std::move(spec));
    all(rests(seconds{10}));
    kill_after(seconds{1}, 4);
    EXPECT_EQ(world->play(), 0);
    EXPECT_TRUE(is_said("launch: n4: run: ")) << world->user.err();
    EXPECT_TRUE(is_said("it had no ranks, the job goes on"));
}

TEST_F(AJob, ends_for_a_host_that_is_lost_after_others_were_missing) {
    with(missing(JobWorld::spec(4, 1, "flat")));
    login(2, refuses);
    all(rests(seconds{60}));
    kill_after(seconds{1}, 1);
    EXPECT_EQ(world->play(), 69);
    EXPECT_TRUE(is_said("goes on without n2: 3 ranks on 3 hosts")) << world->user.err();
    EXPECT_TRUE(is_said("launch: n1: run: "));
    EXPECT_LE(world->took(), seconds{2});
}

}  // namespace
}  // namespace launch
