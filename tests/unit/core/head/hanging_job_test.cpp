// SPDX-License-Identifier: MIT
// Jobs with a limit of --hang, over the hosts of a tree. hang_watch_test.cpp has what it decides.

#include "tests/unit/core/harness/a_job.hpp"

namespace launch {
namespace {

struct AJobWithALimitOfHang : AJob {
    void begin_on(NodeIndex hosts, Clock::duration rest) {
        JobSpec spec = JobWorld::spec(hosts, 2, "kary:2");
        spec.hang = seconds{3};
        spec.policies.liveness = seconds{20};
        with(std::move(spec));
        all(rests(rest));
    }
};

TEST_F(AJobWithALimitOfHang, ends_when_no_rank_does_anything_for_that_time) {
    begin_on(5, seconds{60});
    EXPECT_EQ(world->play(), 124);
    EXPECT_EQ(world->took(), seconds{3});
    EXPECT_TRUE(is_said("hang")) << world->user.err();
}

TEST_F(AJobWithALimitOfHang, goes_on_while_one_rank_writes) {
    begin_on(5, seconds{10});
    world->ranks.scripts[7] = repeats(5, {{Does::write, 1}, {Does::rest, 2000}});
    EXPECT_EQ(world->play(), 0) << world->user.err();
}

/// Its ranks may do something. The question of the first second is given up two seconds later.
TEST_F(AJobWithALimitOfHang, is_not_judged_while_a_host_does_not_answer) {
    begin_on(5, seconds{60});
    freeze_after(milliseconds{500}, 4);
    world->after(seconds{5}, [this] { accidents->let_go(); });
    EXPECT_EQ(world->play(), 124) << world->user.err();
    EXPECT_EQ(world->took(), seconds{1 + 2 + 3});
}

}  // namespace
}  // namespace launch
