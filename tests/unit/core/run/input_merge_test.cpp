// SPDX-License-Identifier: MIT
#include "core/run/input_merge.hpp"

#include <gtest/gtest.h>

#include "tests/unit/core/run/demand_upstream.hpp"

namespace launch {
namespace {

constexpr auto child_one = uint64_t{1} << 32 | 1;
constexpr auto child_two = uint64_t{1} << 32 | 2;

struct Merge {
    DemandUpstream up;
    PassedInput passed;
    InputMerge merge{up, passed};
};

TEST(InputMerge, wants_as_much_as_the_slowest_reader) {
    Merge at;
    at.merge.add_rank(1);
    at.merge.add_child(child_one);
    at.merge.wanted(1, 100);
    EXPECT_EQ(at.up.wanted.granted, 0u);
    at.merge.open();
    EXPECT_EQ(at.up.wanted.granted, 0u) << "the child has not asked yet";
    at.merge.granted(child_one, {0, 60});
    EXPECT_EQ(at.up.wanted.granted, 60u);
    at.merge.granted(child_one, {10, 120});
    EXPECT_EQ(at.up.wanted.granted, 100u);
}

TEST(InputMerge, readers_that_leave_do_not_hold_the_others_up) {
    Merge at;
    at.merge.add_rank(1);
    at.merge.add_rank(2);
    at.merge.open();
    at.merge.wanted(1, 10);
    at.merge.refused(2);
    EXPECT_EQ(at.up.wanted.granted, 10u);
    EXPECT_EQ(at.up.refusals, 0);
    at.merge.refused(1);
    at.merge.refused(1);
    EXPECT_EQ(at.up.refusals, 1);
}

TEST(InputMerge, tells_at_once_that_nobody_reads) {
    Merge at;
    at.merge.wanted(7, 10);
    at.merge.open();
    EXPECT_EQ(at.up.refusals, 1);
    EXPECT_EQ(at.up.wanted.granted, 0u);
}

TEST(InputMerge, a_child_is_given_nothing_before_it_says_how_far_it_is) {
    Merge at;
    at.merge.add_child(child_one);
    EXPECT_FALSE(at.merge.reads(child_one));
    EXPECT_TRUE(at.merge.granted(child_one, {0, 60})) << "from now on";
    EXPECT_TRUE(at.merge.reads(child_one));
    EXPECT_FALSE(at.merge.granted(child_one, {0, 80})) << "once";
    at.merge.add_child(child_one);
    EXPECT_FALSE(at.merge.reads(child_one)) << "it came anew";
}

/// A node came to it, of which nobody else has to know.
TEST(InputMerge, a_child_that_asks_reads_though_it_had_refused) {
    Merge at;
    at.merge.add_child(child_one);
    at.merge.open();
    at.merge.refused(child_one);
    EXPECT_EQ(at.up.refusals, 1);
    EXPECT_TRUE(at.merge.granted(child_one, {0, 60}));
    EXPECT_TRUE(at.merge.reads(child_one));
    EXPECT_EQ(at.up.wanted.granted, 60u);
}

/// Nobody's demand goes back: what was granted may have been read.
TEST(InputMerge, who_comes_from_below_a_child_is_as_far_as_that) {
    Merge at;
    at.merge.add_child(child_one);
    at.merge.open();
    at.merge.granted(child_one, {10, 60});
    at.merge.add_child_from(child_two, child_one);
    EXPECT_EQ(at.merge.needed_from(), 10u);
    at.merge.refused(child_one);
    EXPECT_EQ(at.merge.needed_from(), 10u) << "kept until it says what it has";
    EXPECT_EQ(at.up.refusals, 0);
    at.merge.granted(child_two, {40, 90});
    EXPECT_EQ(at.merge.needed_from(), 40u);
    EXPECT_EQ(at.up.wanted.granted, 90u);
}

/// Its ranks end with it, but those below it are to be given by its parent what it had not passed
/// on.
TEST(InputMerge, says_what_all_below_have_had) {
    Merge at;
    ASSERT_TRUE(at.passed.take({0, "0123456789"}));
    at.merge.add_rank(1);
    at.merge.open();
    EXPECT_EQ(at.merge.needed_from(), UINT64_MAX) << "no rank asks again";
    at.merge.wanted(1, 20);
    EXPECT_EQ(at.up.wanted, (InputGrant{10, 20}));
    at.merge.add_child(child_one);
    at.merge.granted(child_one, {4, 30});
    at.merge.wanted(1, 5);
    EXPECT_EQ(at.up.wanted, (InputGrant{4, 25}));
}

TEST(InputMerge, another_parent_is_told_again) {
    Merge at;
    at.merge.tell_again();
    EXPECT_EQ(at.up.wanted, InputGrant{}) << "nobody has asked for any";
    at.merge.add_rank(1);
    at.merge.open();
    at.merge.wanted(1, 20);
    at.up.wanted = {};
    at.merge.tell_again();
    EXPECT_EQ(at.up.wanted, (InputGrant{0, 20}));
    at.merge.refused(1);
    EXPECT_EQ(at.up.refusals, 1);
    at.merge.tell_again();
    EXPECT_EQ(at.up.refusals, 2) << "else it would wait for this node";
}

}  // namespace
}  // namespace launch
