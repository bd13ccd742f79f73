// SPDX-License-Identifier: MIT
#include "core/head/hang_watch.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace launch {
namespace {

using std::chrono::milliseconds;

using HangStep = HangWatch::Step;

constexpr HangWatch::Time hang_begin{};
constexpr milliseconds hang_limit{100'000};  // a sample every 10 s

const Stack in_mpi{"app", {"main", "MPI_Recv", "poll_all"}, ""};
const Stack in_app{"app", {"main", "solve"}, ""};
const Stack unread{"app", {}, "no stack: libdw.so.1 is not installed"};

/// The state of one rank in a sample.
struct RankNow {
    uint64_t cpu_ms = 0;  ///< in all
    char state = 'S';
    uint32_t pid = 100;
    uint64_t thread_cpu_ms = 0;  ///< of `cpu_ms`
};

HangWatch::Sample sample_of(milliseconds at, const std::vector<RankNow>& ranks,
                            bool complete = true) {
    HangWatch::Sample made{hang_begin + at, complete, {}};
    for (uint32_t i = 0; i < ranks.size(); ++i)
        made.ranks.push_back(
            {1, i, ranks[i].pid + i, ranks[i].state, ranks[i].cpu_ms, 0, ranks[i].thread_cpu_ms});
    std::reverse(made.ranks.begin(), made.ranks.end());  // any order
    return made;
}

class HangWatchTest : public ::testing::Test {
  protected:
    /// All ranks are idle in the next `count` samples. Returns the last step.
    HangStep idle(int count) {
        HangStep step = HangStep::wait;
        for (int i = 0; i < count && step == HangStep::wait; ++i)
            step = take({{0}, {0}, {0}});
        return step;
    }
    HangStep take(const std::vector<RankNow>& ranks, bool complete = true) {
        now = std::chrono::duration_cast<milliseconds>(watch.due() - hang_begin);
        return watch.step(sample_of(now, ranks, complete));
    }
    /// The ranks use all of a core each, at the end of the next interval.
    HangStep busy(const std::vector<uint32_t>& ranks) {
        for (const uint32_t rank : ranks)
            used.at(rank).cpu_ms += 10'000;
        return take(used);
    }
    HangStep stacks(const Stack& of_asked) {
        StackGroups groups;
        groups.add(of_asked, watch.suspects());
        return watch.step(groups);
    }

    HangWatch watch{hang_limit, hang_begin};
    milliseconds now{0};
    std::vector<RankNow> used{{0}, {0}, {0}};
};

TEST_F(HangWatchTest, ranks_that_are_idle_in_all_samples_hang) {
    EXPECT_EQ(idle(9), HangStep::wait);
    EXPECT_EQ(idle(1), HangStep::hangs);
    EXPECT_EQ(now, hang_limit);
    EXPECT_EQ(watch.verdict()->ranks, 3u);
    EXPECT_EQ(watch.verdict()->polling, 0u);
    EXPECT_TRUE(watch.verdict()->stopped.empty());
}

TEST_F(HangWatchTest, whatever_moves_begins_the_time_anew) {
    const struct {
        const char* name;
        std::vector<RankNow> ranks;
        bool complete;
        HangStep
            then_after_10;  ///< after that many idle samples: the first may be compared already
    } rows[] = {
        {"a host is silent", {{0}, {0}}, false, HangStep::hangs},
        {"a rank started anew", {{0}, {0}, {0, 'S', 500}}, true, HangStep::wait},
        {"a rank is in a debugger", {{0}, {0, 't'}, {0}}, true, HangStep::hangs},
        {"a rank uses two cores", {{0}, {20'000}, {0}}, true, HangStep::wait},
        {"a thread computes", {{0}, {10'000, 'R', 100, 9'000}, {0}}, true, HangStep::wait},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.name);
        watch.progress(hang_begin);
        EXPECT_EQ(idle(8), HangStep::wait);
        EXPECT_EQ(take(row.ranks, row.complete), HangStep::wait);
        EXPECT_EQ(idle(9), HangStep::wait);
        EXPECT_EQ(idle(1), row.then_after_10);
    }
}

TEST_F(HangWatchTest, progress_begins_the_time_anew) {
    EXPECT_EQ(idle(9), HangStep::wait);
    watch.progress(hang_begin + milliseconds{95'000});
    EXPECT_EQ(watch.due(), hang_begin + milliseconds{105'000});
    // One that was under way does not count.
    EXPECT_EQ(watch.step(sample_of(milliseconds{94'000}, {{0}, {0}, {0}})), HangStep::wait);
    EXPECT_EQ(idle(9), HangStep::wait);
    EXPECT_EQ(idle(1), HangStep::hangs);
}

TEST_F(HangWatchTest, progress_after_the_verdict_takes_it_back) {
    EXPECT_EQ(idle(9), HangStep::wait);
    EXPECT_FALSE(watch.verdict());
    EXPECT_EQ(idle(1), HangStep::hangs);
    EXPECT_TRUE(watch.verdict());
    watch.progress(hang_begin + hang_limit + milliseconds{1});
    EXPECT_FALSE(watch.verdict());
    EXPECT_EQ(idle(9), HangStep::wait);
    EXPECT_EQ(idle(1), HangStep::hangs);
}

TEST_F(HangWatchTest, less_than_a_twentieth_of_a_core_is_idle) {
    for (const uint64_t used_ms : {499u, 500u}) {
        watch.progress(hang_begin);
        EXPECT_EQ(idle(1), HangStep::wait);
        EXPECT_EQ(take({{0}, {used_ms}, {0}}), used_ms < 500 ? HangStep::wait : HangStep::stacks);
    }
    EXPECT_EQ(watch.suspects(), StackGroups::Ranks{1});
}

TEST_F(HangWatchTest, ranks_that_poll_in_mpi_hang) {
    EXPECT_EQ(idle(1), HangStep::wait);
    for (int i = 0; i < 9; ++i) {
        EXPECT_EQ(busy({1, 2}), HangStep::stacks);
        EXPECT_EQ(watch.suspects(), StackGroups::Ranks{1});
        EXPECT_EQ(stacks(in_mpi), HangStep::stacks);
        EXPECT_EQ(watch.suspects(), (StackGroups::Ranks{1, 2}));
        EXPECT_EQ(stacks(in_mpi), i < 8 ? HangStep::wait : HangStep::hangs);
    }
    EXPECT_EQ(watch.verdict()->polling, 2u);
    EXPECT_EQ(watch.verdict()->ranks, 3u);
}

TEST_F(HangWatchTest, the_rank_that_computed_before_is_asked_first) {
    EXPECT_EQ(idle(1), HangStep::wait);
    EXPECT_EQ(busy({0, 2}), HangStep::stacks);
    EXPECT_EQ(stacks(in_mpi), HangStep::stacks);
    StackGroups groups;
    groups.add(in_mpi, {0});
    groups.add(in_app, {2});
    EXPECT_EQ(watch.step(groups), HangStep::wait);
    EXPECT_EQ(busy({0, 2}), HangStep::stacks);
    EXPECT_EQ(watch.suspects(), StackGroups::Ranks{2});
    EXPECT_EQ(stacks(in_app), HangStep::wait);
    EXPECT_EQ(watch.due(), hang_begin + now + milliseconds{10'000});
    EXPECT_TRUE(watch.unknown().empty());
}

TEST_F(HangWatchTest, all_processes_of_a_rank_that_polls_are_in_mpi_or_asleep) {
    const Stack shell{"sh", {"main", "waitforjob", "__wait4"}, ""};
    const Stack halted{"helper", {"main", "solve"}, "stopped"};
    const struct {
        const char* name;
        std::vector<Stack> stacks;
        HangStep after_9;
    } rows[] = {
        {"a shell above it", {shell, in_mpi}, HangStep::hangs},
        {"a child computes", {in_mpi, in_app}, HangStep::wait},
        {"a child was stopped", {in_mpi, halted}, HangStep::hangs},
        {"a child is unknown", {in_mpi, unread}, HangStep::wait},
        {"only a shell", {shell}, HangStep::wait},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.name);
        watch.progress(hang_begin + now);
        EXPECT_EQ(take(used), HangStep::wait);
        HangStep step = HangStep::wait;
        for (int i = 0; i < 9; ++i) {
            EXPECT_EQ(busy({1}), HangStep::stacks);
            StackGroups groups;
            for (const Stack& stack : row.stacks)
                groups.add(stack, {1});
            step = watch.step(groups);
        }
        EXPECT_EQ(step, row.after_9);
    }
}

TEST_F(HangWatchTest, a_rank_whose_stack_is_unknown_does_not_hang) {
    EXPECT_EQ(idle(1), HangStep::wait);
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(busy({1}), HangStep::stacks);
        EXPECT_EQ(stacks(unread), HangStep::wait);
    }
    EXPECT_EQ(watch.unknown(), unread.note);
    EXPECT_EQ(busy({1}), HangStep::stacks);
    EXPECT_EQ(watch.step(StackGroups()), HangStep::wait);  // its host is silent
}

TEST_F(HangWatchTest, stacks_that_come_after_progress_do_not_count) {
    EXPECT_EQ(idle(1), HangStep::wait);
    EXPECT_EQ(busy({1}), HangStep::stacks);
    watch.progress(hang_begin + now + milliseconds{1});
    EXPECT_EQ(stacks(in_mpi), HangStep::wait);
    EXPECT_EQ(idle(9), HangStep::wait);
    EXPECT_EQ(idle(1), HangStep::hangs);
}

TEST_F(HangWatchTest, stopped_ranks_hang_and_are_named) {
    for (int i = 0; i < 10; ++i)
        EXPECT_EQ(take({{0}, {0, 'T'}, {0, 'T'}}), i < 9 ? HangStep::wait : HangStep::hangs);
    EXPECT_EQ(watch.verdict()->stopped, (std::vector<uint32_t>{1, 2}));
}

TEST_F(HangWatchTest, a_pause_of_launch_does_not_count) {
    EXPECT_EQ(idle(2), HangStep::wait);
    EXPECT_EQ(watch.step(sample_of(3 * hang_limit, {{0}, {0}, {0}})), HangStep::wait);
    EXPECT_EQ(idle(6), HangStep::wait);
    EXPECT_EQ(idle(1), HangStep::hangs);
}

TEST_F(HangWatchTest, a_short_limit_has_samples_a_second_apart) {
    HangWatch short_one{milliseconds{300}, hang_begin};
    EXPECT_EQ(short_one.due(), hang_begin + milliseconds{1000});
    EXPECT_EQ(short_one.step(sample_of(milliseconds{1000}, {{0}})), HangStep::wait);
    EXPECT_EQ(short_one.due(), hang_begin + milliseconds{2000});
    EXPECT_EQ(short_one.step(sample_of(milliseconds{2000}, {{0}})), HangStep::hangs);
}

}  // namespace
}  // namespace launch
