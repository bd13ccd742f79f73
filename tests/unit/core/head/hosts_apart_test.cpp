// SPDX-License-Identifier: MIT
// Whole runs of jobs, two of whose hosts do not reach each other for a while, though both live.

#include "tests/unit/core/harness/a_job.hpp"

namespace launch {
namespace {

/// A job on a chain of hosts, n2 and n3 of which are apart for some seconds, from the third on.
struct HostsApart : AJob {
    void begin(JobSpec spec, Clock::duration time) {
        with(std::move(spec));
        world->after(seconds{3}, [this] { world->network.part(2, 3); });
        world->after(seconds{3} + time, [this] { world->network.part(2, 3, false); });
    }
    size_t children_of(NodeIndex node) const {
        return world->network.running(node)->children().size();
    }
};

TEST_F(HostsApart, cost_nobody_as_the_lower_one_comes_to_the_next_above) {
    for (const HostLoss loss : {HostLoss::abort, HostLoss::go_on}) {
        JobSpec spec = JobWorld::spec(4);
        spec.policies.host_loss = loss;
        begin(std::move(spec), seconds{7});
        all(repeats(60, {{Does::fence, 1}, {Does::rest, 200}}));
        size_t had = 0;
        world->after(seconds{11}, [&] { had = children_of(1); });
        EXPECT_EQ(world->play(), 0) << world->user.err();
        EXPECT_EQ(world->user.err(), "");
        EXPECT_EQ(had, 2U) << "n2, and n3, which has come to n1";
        for (const auto& [rank, life] : world->ranks.lives)
            EXPECT_EQ(life.wrong_card, "") << rank;
    }
}

/// n3 leaves n2 for n1; then both come to the head, and each says that n3 is below it.
TEST_F(HostsApart, hide_no_loss_of_the_host_above_both) {
    begin(JobWorld::spec(3), seconds{7});
    all(rests(seconds{100}));
    kill_after(seconds{10}, 1);
    EXPECT_EQ(world->play(), 69);
    EXPECT_TRUE(is_said("launch: n1: run: ")) << world->user.err();
    EXPECT_FALSE(is_said("n2: run")) << world->user.err();
    EXPECT_FALSE(is_said("n3: run")) << world->user.err();
    EXPECT_LT(world->took(), seconds{15});
}

/// n4 is lost below n3, and n3 comes to n1 then: n2 is still one of the fence.
TEST_F(HostsApart, are_both_in_a_fence_after_a_loss_below_the_lower_one) {
    JobSpec spec = JobWorld::spec(4);
    spec.policies.host_loss = HostLoss::go_on;
    begin(std::move(spec), seconds{6});
    all(repeats(100, {{Does::fence, 1}, {Does::rest, 130}}));
    kill_after(seconds{1}, 4);
    EXPECT_EQ(world->play(), 69);
    EXPECT_TRUE(is_said("launch: n4: run: ")) << world->user.err();
    EXPECT_FALSE(is_said("n2: run")) << world->user.err();
    EXPECT_FALSE(is_said("n3: run")) << world->user.err();
    for (const uint32_t rank : {0U, 1U, 2U})
        EXPECT_EQ(world->ranks.lives[rank].fences, 100U) << rank;
}

}  // namespace
}  // namespace launch
