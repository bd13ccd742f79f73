// SPDX-License-Identifier: MIT
// Jobs on many hosts: `LAUNCH_HOSTS=4000` plays a job on so many. Each rank has three file
// descriptors, as its PMI socket is real (`ulimit -n`).

#include <algorithm>

#include "tests/unit/core/harness/a_job.hpp"
#include "tests/unit/core/harness/env_number.hpp"

namespace launch {
namespace {

TEST_F(AJob, on_many_hosts_is_as_one_on_a_few) {
    const uint32_t hosts = env_number("LAUNCH_HOSTS").value_or(64);
    with(JobWorld::spec(hosts, 1, "kary:32"));
    RankScript script;
    script.steps = {{Does::fence, 1}, {Does::rest, 100}, {Does::write, 2}};
    all(script);
    EXPECT_EQ(world->play(), 0) << world->user.err();
    EXPECT_EQ(world->user.err(), "");
    EXPECT_EQ(std::ranges::count(world->user.out(), '\n'), hosts * 2);
    EXPECT_EQ(world->ranks.lives.size(), hosts);
    for (const auto& [rank, life] : world->ranks.lives) {
        EXPECT_EQ(life.starts, 1) << rank;
        EXPECT_EQ(life.fences, 1U) << rank;
        EXPECT_EQ(life.wrong_card, "") << rank;
    }
    EXPECT_EQ(world->took(), milliseconds{100});
    EXPECT_EQ(world->network.open_ends(), 0);
}

}  // namespace
}  // namespace launch
