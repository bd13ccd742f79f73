// SPDX-License-Identifier: MIT
#include "topologies/auto.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "tests/unit/golden.hpp"
#include "tests/unit/topologies/families.hpp"

namespace launch {
namespace {

using std::chrono::microseconds;
using namespace std::chrono_literals;

/// The model's definition, node by node.
ModelTime simulate(const Topology& topology, NodeIndex n, const CostModel& model) {
    std::vector<ModelTime> at(n);
    std::vector<NodeIndex> children;
    ModelTime last;
    for (NodeIndex v = 0; v < n; ++v) {
        topology.children(v, n, children);
        microseconds start = at[v].ready;
        for (const NodeIndex child : children) {
            start += model.per_child;
            at[child] = {start + model.per_edge, at[v].depth + 1};
        }
        last.ready = std::max(last.ready, at[v].ready);
        last.depth = std::max(last.depth, at[v].depth);
    }
    return last;
}

TEST(ModelTime, EqualsASimulationOfEveryNode) {
    for (const auto& topology : every_topology()) {
        for (NodeIndex n = 1; n <= 200; ++n) {
            const ModelTime expected = simulate(*topology, n, CostModel{});
            const ModelTime actual = model_time(*topology, n, CostModel{});
            EXPECT_EQ(actual.ready, expected.ready) << topology->name() << " " << n;
            EXPECT_EQ(actual.depth, expected.depth) << topology->name() << " " << n;
        }
    }
}

/// The best of all there are: every degree, chain (degree 1) and flat (degree n - 1) included.
ModelTime brute_force(NodeIndex n, const CostModel& model) {
    ModelTime best = model_time(*make_binomial(), n, model);
    for (uint32_t k = 1; k < std::max(n, 2U); ++k) {
        const ModelTime time = model_time(*make_kary(k), n, model);
        if (time.ready < best.ready || (time.ready == best.ready && time.depth < best.depth)) {
            best = time;
        }
    }
    return best;
}

TEST(Auto, ChoosesTheModelsMinimum) {
    const CostModel models[] = {{},           {5ms, 0ms},   {0ms, 100ms},
                                {100ms, 5ms}, {1us, 100ms}, {10ms, 10ms}};
    for (const CostModel& model : models) {
        for (NodeIndex n = 1; n <= 300; n = n < 66 ? n + 1 : n + 13) {
            const AutoChoice choice = choose_topology(n, model);
            const ModelTime chosen = model_time(*choice.topology, n, model);
            const ModelTime best = brute_force(n, model);
            EXPECT_EQ(chosen.ready, best.ready) << n << " " << choice.reason;
            EXPECT_EQ(chosen.depth, best.depth) << n << " " << choice.reason;
        }
    }
    for (const NodeIndex n : {901U, 2000U}) {
        const AutoChoice choice = choose_topology(n, CostModel{});
        EXPECT_EQ(model_time(*choice.topology, n, CostModel{}).ready,
                  brute_force(n, CostModel{}).ready);
    }
}

TEST(Auto, SaysWhy) {
    for (const NodeIndex hosts : {0U, 1U, 2U, 16U, 64U, 900U, 1'000'000U})
        expect_golden(std::to_string(hosts) + " hosts",
                      choose_topology(hosts + 1, CostModel{}).reason);
}

}  // namespace
}  // namespace launch
