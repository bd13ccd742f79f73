// SPDX-License-Identifier: MIT
// Whole runs of jobs along a routing tree, some of whose hosts are missing or lost.

#include "tests/unit/core/harness/a_job.hpp"
#include "tests/unit/core/harness/shown_lines.hpp"

namespace launch {
namespace {

const Login lets_nobody_in{Login::Answer::refuses, {}};

JobSpec routed(NodeIndex hosts, const std::string& topology, const std::string& routing) {
    JobSpec spec = JobWorld::spec(hosts, 1, topology);
    spec.routing = routing;
    return spec;
}

struct ARoutedJob : AJob {
    /// That host is lost, and no other one.
    void expect_loss_of(NodeIndex lost) {
        for (const NodeIndex host : world->hosts_that(&HostRecord::has_failed))
            EXPECT_EQ(host, lost) << world->user.err();
        EXPECT_TRUE(is_said("launch: n" + std::to_string(lost) + ": run: ")) << world->user.err();
    }
};

TEST_F(ARoutedJob, gets_round_a_host_that_is_lost_and_loses_no_output) {
    struct Row {
        const char* routing;
        NodeIndex lost;
    };
    for (const auto& [routing, lost] : {Row{"binomial", 8}, Row{"chain", 6}, Row{"kary:2", 2}}) {
        SCOPED_TRACE(routing);
        JobSpec spec = routed(9, "kary:3", routing);
        spec.policies.host_loss = HostLoss::go_on;
        with(std::move(spec));
        all(repeats(40, {{Does::rest, 100}, {Does::write, 1}}));
        kill_after(seconds{1}, lost);
        EXPECT_EQ(world->play(), 69);
        expect_loss_of(lost);
        ShownLines shown(world->user, world->ranks);
        EXPECT_EQ(shown.fault, "");
        for (const auto& [rank, life] : world->ranks.lives)
            EXPECT_EQ(shown.count[rank] == 40U, life.node != lost) << rank;
    }
}

TEST_F(ARoutedJob, has_no_place_for_a_host_that_is_missing) {
    for (const char* routing : {"binomial", "chain", "flat"}) {
        SCOPED_TRACE(routing);
        JobSpec spec = routed(9, "kary:3", routing);
        spec.allow_missing = true;
        spec.programs[0].ranks = 0;
        with(std::move(spec));
        login(5, lets_nobody_in);
        all(repeats(10, {{Does::fence, 3}}));
        EXPECT_EQ(world->play(), 0);
        EXPECT_TRUE(is_said("goes on without n5: 8 ranks on 8 hosts")) << world->user.err();
        for (const auto& [rank, life] : world->ranks.lives) {
            EXPECT_EQ(life.fences, 10U) << rank;
            EXPECT_EQ(life.wrong_card, "") << rank;
        }
    }
}

/// n2 brings the missing n3 with it when it comes to the head: that is no other node of n1.
TEST_F(ARoutedJob, misses_a_lost_host_though_one_below_it_never_ran) {
    JobSpec spec = routed(4, "kary:32", "chain");
    spec.allow_missing = true;
    spec.programs[0].ranks = 0;
    with(std::move(spec));
    login(3, lets_nobody_in);
    all(rests(seconds{100}));
    kill_after(seconds{5}, 1);
    EXPECT_EQ(world->play(), 69);
    EXPECT_TRUE(is_said("launch: n1: run: ")) << world->user.err();
    EXPECT_FALSE(is_said("n2: run")) << world->user.err();
    EXPECT_LT(world->took(), seconds{10});
}

}  // namespace
}  // namespace launch
