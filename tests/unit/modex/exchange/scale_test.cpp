// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <malloc.h>

#include "tests/unit/modex/exchange/recorder.hpp"
#include "topologies/binomial.hpp"
#include "topologies/kary.hpp"

namespace launch {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr uint32_t nodes = 10'000;  // ten times slower there
#else
constexpr uint32_t nodes = 100'000;
#endif

size_t heap() {
    return mallinfo2().uordblks;
}

std::string key_of(uint32_t rank) {
    return "P" + std::to_string(rank) + "-businesscard";
}

std::string value_of(uint32_t rank, uint32_t fence) {
    return "host-" + std::to_string(rank) + ":port-" + std::to_string(40000 + fence);
}

/// `gets`: of each fence.
void three_fences(const Topology& topology, uint32_t gets) {
    const size_t before = heap();
    std::vector<uint32_t> counts(nodes + 1, 1);
    counts[0] = 0;
    Recorder told;
    Simulation::Settings settings;
    settings.watch_repeats = false;
    const NodeRanks placed = block_placement(counts);
    const size_t placement = heap() - before;
    Simulation simulation(topology, placed, settings, told);
    std::mt19937 random(4);
    for (uint32_t fence = 1; fence <= 3; ++fence) {
        for (uint32_t rank = 0; rank < nodes; ++rank) {
            if (fence < 3) simulation.of(rank).put({rank, key_of(rank), value_of(rank, fence)});
            EXPECT_TRUE(simulation.of(rank).join(rank));
        }
        simulation.run();
        EXPECT_EQ(told.fences.size(), nodes + 1);
        EXPECT_EQ(told.fences[nodes / 2], fence);
        const uint32_t newest = std::min(fence, 2U);
        std::vector<uint32_t> asked;
        for (uint32_t i = 0; i < gets; ++i) {
            asked.push_back(static_cast<uint32_t>(random() % nodes));
            simulation.of(static_cast<uint32_t>(random() % nodes)).get(i, key_of(asked.back()), -1);
        }
        simulation.run();
        for (uint32_t i = 0; i < gets; ++i)
            EXPECT_EQ(told.replies.at(i).value, value_of(asked[i], newest));
    }
    EXPECT_EQ(simulation.traffic().refused, 0U);
    const size_t each = (heap() - before - placement) / nodes;
    testing::Test::RecordProperty("bytes_per_node", static_cast<int>(each));
    testing::Test::RecordProperty("messages", static_cast<int>(simulation.traffic().messages));
    testing::Test::RecordProperty("bytes_sent", std::to_string(simulation.traffic().bytes));
    testing::Test::RecordProperty("largest", std::to_string(simulation.traffic().largest));
    EXPECT_LT(each, 6000U);
}

TEST(ExchangeScale, a_hundred_thousand_nodes_in_a_wide_tree) {
    three_fences(*make_kary(32), 2000);
}

TEST(ExchangeScale, a_hundred_thousand_nodes_in_a_binomial_tree) {
    three_fences(*make_binomial(), 200);
}

}  // namespace
}  // namespace launch
