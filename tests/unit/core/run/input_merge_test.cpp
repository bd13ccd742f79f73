#include "core/run/input_merge.hpp"

#include <gtest/gtest.h>

#include "tests/unit/core/run/demand_upstream.hpp"

namespace launch {
namespace {

TEST(InputMerge, wants_as_much_as_the_slowest_reader) {
    DemandUpstream up;
    InputMerge merge(up);
    merge.add(1);
    merge.add(InputMerge::child_key(1));
    merge.wanted(1, 100);
    EXPECT_EQ(up.wanted, 0u);
    merge.open();
    EXPECT_EQ(up.wanted, 0u) << "the child has not asked yet";
    merge.wanted(InputMerge::child_key(1), 60);
    EXPECT_EQ(up.wanted, 60u);
    merge.wanted(InputMerge::child_key(1), 60);
    EXPECT_EQ(up.wanted, 100u);
}

TEST(InputMerge, readers_that_leave_do_not_hold_the_others_up) {
    DemandUpstream up;
    InputMerge merge(up);
    merge.add(1);
    merge.add(2);
    merge.open();
    merge.wanted(1, 10);
    merge.refused(2);
    EXPECT_EQ(up.wanted, 10u);
    EXPECT_EQ(up.refusals, 0);
    merge.refused(1);
    merge.refused(1);
    EXPECT_EQ(up.refusals, 1);
}

TEST(InputMerge, tells_at_once_that_nobody_reads) {
    DemandUpstream up;
    InputMerge merge(up);
    merge.wanted(7, 10);
    merge.open();
    EXPECT_EQ(up.refusals, 1);
    EXPECT_EQ(up.wanted, 0u);
}

}  // namespace
}  // namespace launch
