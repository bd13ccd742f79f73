// SPDX-License-Identifier: MIT
// A whole tree in this process, and what becomes of it when its links break.

#include <gtest/gtest.h>

#include "tests/unit/core/tree/healing.hpp"

namespace launch {
namespace {

TEST(Healing, a_tree_comes_up_and_ends_without_a_rest) {
    for (const std::string topology : {"chain", "flat", "kary:2", "binomial"}) {
        World world({9, topology, milliseconds{4000}});
        world.start();
        ASSERT_TRUE(world.until([&] { return world.all_up(); })) << topology;
        EXPECT_TRUE(world.finish()) << topology;
        EXPECT_EQ(world.network.open_ends(), 0) << topology;
        EXPECT_TRUE(world.job().failures.empty()) << topology;
    }
}

struct BreakCase {
    Cable::Side from;  ///< a: from the parent
    FrameType type;
};

class BreakingLink : public testing::TestWithParam<std::tuple<BreakCase, Break::At, int>> {};

TEST_P(BreakingLink, is_replaced_and_nothing_is_lost_or_doubled) {
    const auto& [which, at, skip] = GetParam();
    constexpr int words = 20;
    World world({3});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up() && world.part(3); }));
    const auto cable = world.network.between(1, 2).front();
    cable->break_at(which.from, {at, which.type, skip});
    for (int i = 0; i < words; ++i) {
        say(world, 2, 1, i);
        say(world, 3, 2, i);
        for (int handlers = 0; handlers < 7; ++handlers)
            world.io.poll_one();
    }
    const auto has_all = [&](NodeIndex node, NodeIndex parent) {
        return world.job().notices[node].size() >= words &&
               world.job().outputs[rank_of(node)].size() >=
                   lines(all_numbered("line", words)).size() &&
               world.part(parent)->from_below[node].size() >= words &&
               world.part(node)->from_above.size() >= words;
    };
    ASSERT_TRUE(world.until([&] { return has_all(2, 1) && has_all(3, 2) && cable->is_broken(); }));
    for (const NodeIndex node : {2U, 3U}) {
        EXPECT_EQ(world.job().notices[node], all_numbered("report", words));
        EXPECT_EQ(world.job().outputs[rank_of(node)], lines(all_numbered("line", words)));
        EXPECT_EQ(world.part(node - 1)->from_below[node], all_numbered("up", words));
        EXPECT_EQ(world.part(node)->from_above, all_numbered("down", words));
        EXPECT_EQ(world.part(node)->parents, 1);
    }
    EXPECT_TRUE(world.job().failures.empty());
    EXPECT_TRUE(world.finish());
    EXPECT_EQ(world.network.open_ends(), 0);
}

INSTANTIATE_TEST_SUITE_P(
    Healing, BreakingLink,
    testing::Combine(testing::Values(BreakCase{Cable::Side::b, FrameType::notice},
                                     BreakCase{Cable::Side::b, FrameType::output},
                                     BreakCase{Cable::Side::b, FrameType::modex},
                                     BreakCase{Cable::Side::a, FrameType::modex}),
                     testing::Values(Break::At::middle, Break::At::end), testing::Values(0, 7)));

/// Breaks the first link over which that frame goes from now on.
void break_first(World& world, FrameType type, Break::At at, bool& broken) {
    world.network.watch = [=, &broken](Cable&, Cable::Side,
                                       FrameType passing) -> std::optional<Break::At> {
        if (broken || passing != type) return std::nullopt;
        broken = true;
        return at;
    };
}

/// Calls `test` for a chain of two nodes, whose next call for a parent breaks before its answer.
template <class Test>
void where_a_call_breaks(const Test& test) {
    for (const FrameType type : {FrameType::attach, FrameType::attached})
        for (const Break::At at : {Break::At::middle, Break::At::end}) {
            World world({2});
            world.start();
            ASSERT_TRUE(world.until([&] { return world.all_up() && world.part(2); }));
            bool broken = false;
            break_first(world, type, at, broken);
            test(world, broken);
            EXPECT_TRUE(world.finish());
        }
}

TEST(Healing, a_node_whose_new_link_breaks_before_the_answer_calls_again) {
    where_a_call_breaks([](World& world, const bool& broken) {
        world.network.between(0, 1).front()->cut();
        say(world, 1, 0, 0);
        const auto came = [&] {
            return world.job().notices[1].size() == 1 && world.part(1)->from_above.size() == 1;
        };
        EXPECT_TRUE(world.until([&] { return broken && came(); }));
        EXPECT_TRUE(world.job().failures.empty());
    });
}

/// The node does not know that it has been adopted, and counts its messages anew in each call.
TEST(Healing, a_node_that_did_not_hear_that_it_was_adopted_calls_again) {
    where_a_call_breaks([](World& world, const bool& broken) {
        world.network.kill(*world.network.running(1));
        const auto is_adopted = [&world] {
            const FakeModex* const part = world.part(2);
            return part != nullptr && part->parents == 2;
        };
        ASSERT_TRUE(world.until([&] { return world.job().is_lost(1) && is_adopted(); }));
        EXPECT_TRUE(broken);
        for (int i = 0; i < 3; ++i)
            say(world, 2, 0, i);
        const auto& up = world.part(0)->from_below[2];
        const auto& down = world.part(2)->from_above;
        EXPECT_TRUE(world.until([&] { return up.size() >= 3 && down.size() >= 3; }));
        EXPECT_EQ(up, all_numbered("up", 3));
        EXPECT_EQ(down, all_numbered("down", 3));
        EXPECT_FALSE(world.job().is_lost(2));
    });
}

/// The link breaks while nothing else is said, where only the end itself shows it.
TEST(Healing, the_word_of_the_end_that_a_broken_link_swallowed_is_told_again) {
    World world({3});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up(); }));
    const auto cable = world.network.between(1, 2).front();
    cable->break_at(Cable::Side::a, {Break::At::middle, FrameType::finish});
    EXPECT_TRUE(world.finish());
    EXPECT_TRUE(cable->is_broken());
    EXPECT_EQ(world.network.open_ends(), 0);
}

/// Many jobs of a session may begin and end while a link is broken.
TEST(Healing, all_that_the_head_has_told_while_a_link_was_broken_is_told_again) {
    constexpr uint64_t answers = 1000;
    World world({3});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up() && world.part(3); }));
    const auto cable = world.network.between(1, 2).front();
    cable->break_at(Cable::Side::a, {Break::At::middle, FrameType::spawned});
    for (uint64_t ticket = 1; ticket <= answers; ++ticket)
        world.head().answer(first_job, {3, ticket, {}, 0, {}, {}});
    ASSERT_TRUE(world.until([&] {
        return cable->is_broken() && !world.part(3)->answers.empty() &&
               world.part(3)->answers.back().ticket == answers;
    }));
    ASSERT_EQ(world.part(3)->answers.size(), answers);
    for (uint64_t ticket = 1; ticket <= answers; ++ticket)
        EXPECT_EQ(world.part(3)->answers[ticket - 1].ticket, ticket);
    EXPECT_TRUE(world.finish());
}

/// Its ranks get rid of what they write, or they could not end.
TEST(Healing, output_of_a_job_that_the_head_has_given_up_is_dropped) {
    constexpr uint64_t window = 4096;
    constexpr size_t line_size = 1024;
    World world({3});
    world.start();
    ASSERT_TRUE(world.until([&] { return world.all_up(); }));
    world.begin("other", window);
    ASSERT_TRUE(world.until([&] { return world.part(3, "other") != nullptr; }));
    for (int i = 0; i < 20; ++i)
        world.part(3, "other")->host.modex_trace(rank_of(3), std::string(line_size - 1, 'x'));
    const auto& output = world.job("other").outputs[rank_of(3)];
    ASSERT_TRUE(world.until([&] { return output.size() >= window; }));
    settle(world.io);
    EXPECT_EQ(output.size(), window) << "nobody has read any of it";
    world.head().forget(JobNumber{2});
    world.head().output_read(3, JobNumber{2}, line_size);
    EXPECT_TRUE(world.finish());
    EXPECT_TRUE(world.stuck().empty());
}

}  // namespace
}  // namespace launch
