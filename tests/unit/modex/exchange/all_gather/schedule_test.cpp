// SPDX-License-Identifier: MIT
#include "modex/exchange/all_gather/schedule.hpp"

#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

namespace launch {
namespace {

using Schedules = std::vector<AllGatherSchedule>;
using Set = std::vector<bool>;

Schedules schedules_of(GatherWay way, uint32_t nodes) {
    Schedules all;
    for (uint32_t node = 0; node < nodes; ++node)
        all.push_back(AllGatherSchedule(way, node, nodes));
    return all;
}

uint32_t ceil_log2(uint32_t n) {
    return static_cast<uint32_t>(std::bit_width(n - 1));
}

uint32_t steps_of(GatherWay way, uint32_t n) {
    switch (way) {
        case GatherWay::bruck: return ceil_log2(n);
        case GatherWay::doubling:
            return std::has_single_bit(n) ? ceil_log2(n) : ceil_log2(n) - 1 + 2;
        default: return n - 1;
    }
}

/// Runs all nodes step by step.
class Run {
  public:
    Run(GatherWay way, uint32_t nodes)
        : nodes_(nodes), schedules_(schedules_of(way, nodes)), has_(nodes, Set(nodes)) {
        for (uint32_t node = 0; node < nodes; ++node)
            has_[node][node] = true;
    }

    void step(uint32_t index) {
        const std::vector<Set> before = has_;
        uint32_t received = 0;
        for (uint32_t node = 0; node < nodes_; ++node) {
            const auto receive = schedules_[node].step(index).receive;
            if (!receive) continue;
            ++received;
            const auto sent = schedules_.at(receive->peer).step(index).send;
            ASSERT_TRUE(sent);
            EXPECT_EQ(*sent, (Transfer{node, receive->first, receive->count}));
            bring(node, *receive, before);
        }
        for (const auto& schedule : schedules_)
            received -= schedule.step(index).send ? 1U : 0U;
        EXPECT_EQ(received, 0U) << "sent, and not received";
    }
    bool complete() const {
        return std::all_of(has_.begin(), has_.end(), [](const Set& set) {
            return std::find(set.begin(), set.end(), false) == set.end();
        });
    }
    const std::vector<std::set<uint32_t>>& peers() const { return peers_; }

  private:
    void bring(uint32_t node, const Transfer& transfer, const std::vector<Set>& before) {
        ASSERT_NE(transfer.peer, node);
        ASSERT_GT(transfer.count, 0U);
        peers_.resize(nodes_);
        peers_[node].insert(transfer.peer);
        peers_[transfer.peer].insert(node);
        for (uint32_t i = 0; i < transfer.count; ++i) {
            const uint32_t of = (transfer.first + i) % nodes_;
            EXPECT_TRUE(before[transfer.peer][of]) << "not there to be sent";
            // Neither of the two ends of any link can have had it before it crosses: once a link.
            EXPECT_FALSE(has_[node][of]) << of << " comes twice";
            has_[node][of] = true;
        }
    }

    const uint32_t nodes_;
    const Schedules schedules_;
    std::vector<Set> has_;
    std::vector<std::set<uint32_t>> peers_;
};

uint32_t most_peers(GatherWay way, uint32_t n) {
    switch (way) {
        case GatherWay::bruck: return 2 * ceil_log2(n);
        case GatherWay::doubling: return ceil_log2(n) + 1;
        default: return 2;
    }
}

void check(GatherWay way, uint32_t nodes) {
    SCOPED_TRACE("way " + std::to_string(static_cast<int>(way)) + " nodes " +
                 std::to_string(nodes));
    Run run(way, nodes);
    const uint32_t steps = steps_of(way, nodes);
    for (const auto& schedule : schedules_of(way, nodes))
        ASSERT_EQ(schedule.steps(), steps);
    for (uint32_t i = 0; i < steps; ++i) {
        EXPECT_FALSE(run.complete()) << "step " << i << " is too many";
        run.step(i);
    }
    EXPECT_TRUE(run.complete());
    for (const auto& peers : run.peers())
        EXPECT_LE(peers.size(), most_peers(way, nodes));
}

constexpr GatherWay ways[] = {GatherWay::ring, GatherWay::bruck, GatherWay::doubling};

TEST(AllGatherSchedule, every_node_gets_everything_once_in_as_many_steps_as_the_papers_say) {
    for (const GatherWay way : ways)
        for (uint32_t nodes = 1; nodes <= 70; ++nodes) {
            check(way, nodes);
            if (testing::Test::HasFailure()) return;
        }
}

TEST(AllGatherSchedule, so_it_is_with_many_nodes) {
    for (const GatherWay way : {GatherWay::bruck, GatherWay::doubling})
        for (const uint32_t nodes : {127U, 128U, 129U, 900U, 1023U, 1025U}) {
            check(way, nodes);
            if (testing::Test::HasFailure()) return;
        }
    check(GatherWay::ring, 300);
}

/// Too many to run: two ends agree, and what a node receives is all that it has not.
TEST(AllGatherSchedule, numbers_do_not_run_over) {
    constexpr uint32_t nodes = 3'000'000'000U;
    for (const GatherWay way : ways)
        for (const uint32_t node : {0U, 1U, 1'000'000'001U, 2'147'483'648U, nodes - 1}) {
            const auto schedule = AllGatherSchedule(way, node, nodes);
            uint64_t received = 0;
            // Of a ring's steps some.
            const uint32_t stride = way == GatherWay::ring ? 700'000'001U : 1;
            for (uint64_t i = 0; i < schedule.steps(); i += stride) {
                const auto index = static_cast<uint32_t>(i);
                const auto step = schedule.step(index);
                if (!step.receive) continue;
                received += step.receive->count;
                ASSERT_LT(step.receive->peer, nodes);
                const auto other = AllGatherSchedule(way, step.receive->peer, nodes);
                const auto sent = other.step(index).send;
                ASSERT_TRUE(sent);
                EXPECT_EQ(*sent, (Transfer{node, step.receive->first, step.receive->count}));
            }
            if (way != GatherWay::ring) {
                EXPECT_EQ(received, nodes - 1);
            }
        }
}

}  // namespace
}  // namespace launch
