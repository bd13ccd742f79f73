// SPDX-License-Identifier: MIT
#include "modex/exchange/fence_gate.hpp"

#include <gtest/gtest.h>
#include <memory>

#include "modex/exchange/exchange_state.hpp"

namespace launch {
namespace {

struct NoSink : ExchangeSink {
    void to_parent(std::string) override {}
    void to_child(NodeIndex, std::string) override {}
    void peers_wanted() override {}
    void to_peer(uint32_t, std::string) override {}
    void fence_done(Channel, std::string) override {}
    void group_done(const std::vector<uint32_t>&, const std::string&) override {}
    void answered(uint64_t, bool, const std::string&) override {}
    void blob_wanted(uint32_t) override {}
    void event_told(const std::string&) override {}
    void ranks_died(const std::vector<uint32_t>&) override {}
    void fence_broken(uint32_t, uint32_t) override {}
};

/// A node with the ranks 2, 5, 9 and two children with three ranks each.
class FenceGateTest : public testing::Test {
  protected:
    FenceGateTest() {
        state.children[1].ranks = 3;
        state.children[4].ranks = 3;
    }
    void all_of_child_exit(NodeIndex child, uint32_t last) {
        state.children[child].gone = 3;
        state.children[child].gone_rank = last;
    }

    void child_joins(NodeIndex child, uint32_t absent = 0, uint32_t absent_rank = 0) {
        gate.join_child(child, {{}, 0, 3, absent, absent_rank, {}});
    }

    NoSink sink;
    ExchangeState state{{9, {2, 5, 9}, false, true}, sink};
    FenceGate gate{state};
};

TEST_F(FenceGateTest, opens_when_all_have_come) {
    EXPECT_TRUE(gate.idle());
    for (const uint32_t rank : {9U, 2U, 5U}) {
        EXPECT_FALSE(gate.complete());
        EXPECT_TRUE(gate.join(rank));
    }
    EXPECT_FALSE(gate.idle());
    child_joins(1);
    EXPECT_FALSE(gate.complete());
    child_joins(4);
    EXPECT_TRUE(gate.complete());
    EXPECT_EQ(gate.absent(), 0U);
    gate.reset();
    EXPECT_TRUE(gate.idle());
    EXPECT_FALSE(gate.complete());
}

/// One of the three is elsewhere, and may not have come yet.
TEST_F(FenceGateTest, a_child_is_in_when_it_speaks_for_all_who_are_believed_there) {
    gate.join_all({});
    child_joins(1);
    gate.join_child(4, {{}, 0, 2, 0, 0, {}});
    EXPECT_FALSE(gate.complete());
    EXPECT_EQ(gate.counted(), 3 + 3 + 2U);
    EXPECT_EQ(gate.admit(4, FenceUp{}, 0), FenceGate::Entry::welcome) << "it says more";
    state.children[4].ranks = 2;
    EXPECT_TRUE(gate.complete());
    state.children[4] = {};
    state.children[4].ranks = 4;
    state.children[4].gone = 2;
    EXPECT_TRUE(gate.complete()) << "two of four were lost, and are below nobody";
}

TEST_F(FenceGateTest, nobody_comes_twice) {
    EXPECT_TRUE(gate.join(2));
    EXPECT_FALSE(gate.join(2));
    EXPECT_FALSE(gate.join(3));
    child_joins(1);
    EXPECT_EQ(gate.admit(1, FenceUp{}, 0), FenceGate::Entry::refused);
}

TEST_F(FenceGateTest, does_not_wait_for_who_has_exited) {
    gate.exited(9);
    gate.exited(9);
    gate.exited(7);
    EXPECT_FALSE(gate.join(9));
    gate.join_all({});
    child_joins(1, 2, 7);
    all_of_child_exit(4, 8);
    EXPECT_TRUE(gate.complete());
    EXPECT_EQ(gate.absent(), 1 + 2 + 3U);
    EXPECT_EQ(gate.absent_rank(), 7U);
}

TEST_F(FenceGateTest, names_a_local_rank_that_did_not_join) {
    gate.exited(2);
    gate.join(5);
    gate.join(9);
    gate.exited(5);
    child_joins(1);
    child_joins(4);
    EXPECT_EQ(gate.absent(), 1U);
    EXPECT_EQ(gate.absent_rank(), 2U);
}

TEST_F(FenceGateTest, names_a_rank_of_a_subtree_that_is_gone) {
    gate.join_all({});
    child_joins(1);
    all_of_child_exit(4, 8);
    EXPECT_TRUE(gate.complete());
    EXPECT_EQ(gate.absent_rank(), 8U);
}

TEST_F(FenceGateTest, who_exits_after_joining_is_there_and_missing_next_time) {
    gate.join_all({});
    gate.exited(2);
    all_of_child_exit(1, 3);
    child_joins(1);
    child_joins(4);
    EXPECT_TRUE(gate.complete());
    EXPECT_EQ(gate.absent(), 0U);
    gate.reset();
    gate.join_all({});
    child_joins(4);
    EXPECT_TRUE(gate.complete());
    EXPECT_EQ(gate.absent(), 4U);
}

TEST_F(FenceGateTest, goes_on_without_who_has_exited_though_they_may_have_joined) {
    gate.join_all({});
    child_joins(4);
    all_of_child_exit(1, 3);
    EXPECT_EQ(gate.advance(), FenceGate::End::up);
    const FenceUp late;
    EXPECT_EQ(gate.admit(1, late, 0), FenceGate::Entry::known) << "closed";
    gate.reset();
    EXPECT_EQ(gate.admit(1, late, 1), FenceGate::Entry::known) << "over";
    EXPECT_EQ(gate.admit(4, late, 1), FenceGate::Entry::refused);
}

TEST_F(FenceGateTest, stays_shut_when_everybody_has_exited_and_nobody_waits) {
    for (const uint32_t rank : {2U, 5U, 9U})
        gate.exited(rank);
    all_of_child_exit(1, 3);
    EXPECT_FALSE(gate.complete());
    all_of_child_exit(4, 8);
    EXPECT_FALSE(gate.complete());
}

TEST_F(FenceGateTest, is_closed_from_the_way_up_to_the_reset) {
    EXPECT_EQ(gate.advance(), FenceGate::End::none);
    gate.join_all({});
    child_joins(1, 2, 8);
    EXPECT_EQ(gate.advance(), FenceGate::End::none);
    child_joins(4);
    EXPECT_EQ(gate.advance(), FenceGate::End::up);
    EXPECT_TRUE(gate.closed());
    EXPECT_EQ(gate.advance(), FenceGate::End::none);
    EXPECT_EQ(gate.absent(), 2U);
    EXPECT_EQ(gate.absent_rank(), 8U);
    gate.reset();
    EXPECT_FALSE(gate.closed());
}

/// The third rank of child 4 was believed elsewhere when this node reported.
TEST_F(FenceGateTest, reports_again_when_a_child_has_joined_late) {
    state.children[4].ranks = 2;
    state.children[4].disturbed = true;
    gate.join_all({});
    child_joins(1);
    gate.join_child(4, {{}, 0, 2, 0, 0, {}});
    EXPECT_EQ(gate.advance(), FenceGate::End::up);
    EXPECT_EQ(gate.admit(4, FenceUp{}, 0), FenceGate::Entry::known);
    state.children[4].ranks = 3;
    EXPECT_EQ(gate.advance(), FenceGate::End::none);
    ASSERT_EQ(gate.admit(4, FenceUp{}, 0), FenceGate::Entry::welcome);
    child_joins(4);
    EXPECT_TRUE(gate.closed()) << "the ranks here have joined";
    EXPECT_EQ(gate.advance(), FenceGate::End::up);
    EXPECT_EQ(gate.counted(), 9U);
    EXPECT_EQ(gate.advance(), FenceGate::End::none);
    EXPECT_EQ(gate.admit(4, FenceUp{}, 0), FenceGate::Entry::known);
}

/// It had joined, and was believed elsewhere when this node reported.
TEST_F(FenceGateTest, reports_again_when_a_child_that_has_joined_comes_back) {
    const Neighbour child = state.children[4];
    gate.join_all({});
    child_joins(1);
    child_joins(4);
    state.children.erase(4);
    EXPECT_EQ(gate.advance(), FenceGate::End::up);
    EXPECT_EQ(gate.counted(), 6U);
    state.children[4] = child;
    EXPECT_EQ(gate.advance(), FenceGate::End::up);
    EXPECT_EQ(gate.counted(), 9U);
    state.children.erase(4);
    EXPECT_EQ(gate.advance(), FenceGate::End::none) << "nodes above know of that";
    state.children[4] = child;
    EXPECT_EQ(gate.advance(), FenceGate::End::up);
}

TEST_F(FenceGateTest, reports_to_another_parent_when_all_have_joined) {
    state.children[4].ranks = 2;
    gate.join_all({});
    child_joins(1);
    gate.join_child(4, {{}, 0, 2, 0, 0, {}});
    EXPECT_EQ(gate.advance(), FenceGate::End::up);
    gate.report_again();
    EXPECT_EQ(gate.advance(), FenceGate::End::up);
    state.children[4].ranks = 3;
    gate.report_again();
    EXPECT_EQ(gate.advance(), FenceGate::End::none) << "one has not joined";
    child_joins(4);
    EXPECT_EQ(gate.advance(), FenceGate::End::up);
}

TEST_F(FenceGateTest, waits_for_who_has_left_and_not_exited) {
    gate.join_all({5});
    child_joins(1);
    child_joins(4);
    EXPECT_FALSE(gate.complete());
    gate.exited(5);
    EXPECT_TRUE(gate.complete());
    EXPECT_EQ(gate.absent_rank(), 5U);
}

}  // namespace
}  // namespace launch
