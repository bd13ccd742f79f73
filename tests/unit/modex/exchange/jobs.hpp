// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "tests/unit/core/harness/env_number.hpp"
#include "tests/unit/modex/exchange/simulation.hpp"
#include "topologies/binomial.hpp"
#include "topologies/chain.hpp"
#include "topologies/kary.hpp"

namespace launch {

/// The algorithms by which cards travel; to them what comes after is the same as the first.
inline constexpr size_t card_choices = 3;

/// Other jobs than the usual ones.
inline uint32_t first_seed() {
    return env_number("LAUNCH_RANDOM_SEED").value_or(1);
}

/// Calls f(topology, placement, settings) for trees of every kind and the first `choices`
/// algorithms, with `times` random placements each.
template <class F>
void for_each_job(uint32_t times, F f, size_t choices = card_choices) {
    std::vector<std::unique_ptr<Topology>> trees;
    for (const uint32_t degree : {1U, 2U, 3U, 32U})
        trees.push_back(make_kary(degree));
    trees.push_back(make_binomial());
    trees.push_back(make_chain());
    uint32_t seed = first_seed();
    for (const auto& topology : trees) {
        for (size_t algorithm = 0; algorithm < choices; ++algorithm) {
            for (uint32_t i = 0; i < times; i += share_of_seeds()) {
                std::mt19937 random(++seed);
                const auto nodes = static_cast<NodeIndex>(1 + random() % 20);
                const auto ranks = static_cast<uint32_t>(1 + random() % 40);
                Simulation::Settings settings;
                settings.algorithm = static_cast<ModexChoice>(algorithm);
                settings.seed = seed;
                SCOPED_TRACE(topology->name() + " " + std::string(modex_choice_names[algorithm]) +
                             " nodes " + std::to_string(nodes) + " ranks " + std::to_string(ranks) +
                             " seed " + std::to_string(seed));
                f(*topology, random_placement(nodes, ranks, random), settings);
                if (testing::Test::HasFailure()) return;
            }
        }
    }
}

}  // namespace launch
