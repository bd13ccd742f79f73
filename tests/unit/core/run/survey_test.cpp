// SPDX-License-Identifier: MIT
// A question about ranks goes down a whole tree in this process, and one answer comes up.

#include <gtest/gtest.h>

#include "tests/unit/core/harness/world.hpp"

namespace launch {
namespace {

SurveyOrder question() {
    return {7, SurveyOrder::Subject::usage, {}, milliseconds{60'000}};
}

std::vector<SurveyMessage> answers(World& world) {
    std::vector<SurveyMessage> found;
    for (const JobReport& report : world.job().reports)
        if (const auto* answer = std::get_if<SurveyMessage>(&report)) found.push_back(*answer);
    return found;
}

TEST(Survey, merges_the_answers_of_all_nodes_into_one) {
    for (const std::string topology : {"chain", "flat", "kary:2", "binomial"}) {
        World world({9, topology});
        world.start();
        ASSERT_TRUE(world.until([&] { return world.all_up(); })) << topology;
        world.head().survey(first_job, question());
        ASSERT_TRUE(world.until([&] { return !answers(world).empty(); })) << topology;
        const auto all = answers(world);
        ASSERT_EQ(all.size(), 1U) << topology;
        EXPECT_EQ(all.front().survey, 7U);
        EXPECT_EQ(std::set<NodeIndex>(all.front().nodes.begin(), all.front().nodes.end()).size(),
                  9U)
            << topology;
        EXPECT_TRUE(world.finish()) << topology;
    }
}

/// The question has been lost with the relay, or its answer.
TEST(Survey, does_not_wait_for_a_node_that_is_lost) {
    World world({4, "flat", milliseconds{4000}});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up(); }));
    world.network.kill(*world.network.running(3));
    world.head().survey(first_job, question());
    ASSERT_TRUE(world.until([&] { return !answers(world).empty(); }));
    EXPECT_EQ(answers(world).front().nodes.size(), 3U);
    EXPECT_TRUE(world.finish());
}

}  // namespace
}  // namespace launch
