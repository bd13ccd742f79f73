// SPDX-License-Identifier: MIT
#include <algorithm>
#include <gtest/gtest.h>

#include "tests/unit/modex/exchange/gathering.hpp"
#include "tests/unit/modex/exchange/jobs.hpp"

namespace launch {
namespace {

/// Where messages of a kind are counted (see ExchangeMessage).
constexpr size_t order_kind = 11;
constexpr size_t report_kind = 12;
constexpr size_t tree_kind = 13;
constexpr size_t peer_kind = 14;

using Kinds = std::vector<uint64_t>;

/// Every other job has ranks on every node but perhaps the root, so that all can be told of peers.
NodeRanks everywhere_or(const NodeRanks& placed, uint32_t seed) {
    if (seed % 2 == 0) return placed;
    std::vector<uint32_t> counts(placed.size(), 1);
    if (placed.size() > 1) counts[0] = seed / 2 % 2;
    return block_placement(counts);
}

/// Runs jobs; returns how many messages of each kind all together have sent.
template <class F>
Kinds run_jobs(uint32_t times, F settings_of) {
    Kinds all(32, 0);
    const auto run = [&](const Topology& topology, const NodeRanks& placed, auto settings) {
        settings.absent_is_fatal = false;
        const Gathering::Settings gathering = settings_of(settings);
        Gathering job(topology, everywhere_or(placed, settings.seed), settings, gathering);
        job.run();
        for (size_t kind = 0; kind < all.size(); ++kind)
            all[kind] += job.traffic().kinds[kind];
    };
    for_each_job(times, run, modex_choice_names.size());
    return all;
}

TEST(ExchangeGather, all_get_all_by_peers_where_all_have_them) {
    const Kinds kinds = run_jobs(20, [](auto& settings) {
        Gathering::Settings gathering;
        gathering.large = settings.seed % 4 == 0 ? 20 : 0;
        settings.hypercube = settings.seed % 3 == 0;
        return gathering;
    });
    EXPECT_GT(kinds[peer_kind], 20'000U / share_of_seeds());
    EXPECT_GT(kinds[report_kind], 2'000U / share_of_seeds());
}

TEST(ExchangeGather, all_get_all_while_peers_open_late) {
    const Kinds kinds = run_jobs(20, [](auto&) {
        Gathering::Settings gathering;
        gathering.late = true;
        gathering.rounds = 8;
        return gathering;
    });
    EXPECT_GT(kinds[peer_kind], 5'000U / share_of_seeds());
    EXPECT_GT(kinds[tree_kind], 5'000U / share_of_seeds());
}

TEST(ExchangeGather, all_get_all_though_links_between_peers_break) {
    const Kinds kinds = run_jobs(40, [](auto& settings) {
        Gathering::Settings gathering;
        gathering.cuts = 1 + settings.seed % 9;
        gathering.late = settings.seed % 5 == 0;
        gathering.exits = settings.seed % 3;
        gathering.large = settings.seed % 8 == 0 ? 20 : 0;
        return gathering;
    });
    EXPECT_GT(kinds[peer_kind], 5'000U / share_of_seeds());
    EXPECT_GT(kinds[tree_kind], 5'000U / share_of_seeds());
}

TEST(ExchangeGather, all_who_live_get_all_of_each_other_though_nodes_are_lost) {
    const Kinds kinds = run_jobs(100, [](auto& settings) {
        settings.heals = true;
        Gathering::Settings gathering;
        gathering.rounds = 6;
        gathering.losses = 1 + settings.seed % 5;
        gathering.cuts = settings.seed % 3;
        gathering.exits = settings.seed % 4 == 0 ? 2 : 0;
        gathering.late = settings.seed % 7 == 0;
        gathering.large = settings.seed % 8 == 0 ? 20 : 0;
        return gathering;
    });
    EXPECT_GT(kinds[peer_kind], 5'000U / share_of_seeds());
    EXPECT_GT(kinds[tree_kind], 5'000U / share_of_seeds());
}

/// With pieces that take many messages, by every way.
TEST(ExchangeGather, what_is_larger_than_a_message_goes_by_every_way) {
    for (size_t asked = 0; asked < modex_choice_names.size(); ++asked) {
        for (const uint32_t cuts : {0U, 3U}) {
            SCOPED_TRACE(modex_choice_names[asked]);
            Simulation::Settings settings;
            settings.algorithm = static_cast<ModexChoice>(asked);
            settings.absent_is_fatal = false;
            settings.watch_repeats = false;
            settings.seed = static_cast<uint32_t>(asked + 1);
            Gathering::Settings gathering;
            gathering.rounds = 2;
            gathering.large = 400;
            gathering.largest = 3u << 20;
            gathering.cuts = cuts;
            Gathering job(*make_kary(2), block_placement(std::vector<uint32_t>(11, 1)), settings,
                          gathering);
            job.run();
            EXPECT_LT(job.traffic().largest, 2 * PieceBatch::limit);
            if (cuts == 0 && settings.algorithm != ModexChoice::gather) {
                EXPECT_GT(job.traffic().kinds[peer_kind], 10U);
            }
        }
    }
}

/// A node's links carry what it must get, and by a ring also that once more: not k copies.
TEST(ExchangeGather, an_order_and_a_report_is_all_that_large_contributions_cost_the_tree) {
    constexpr uint32_t nodes = 40;
    Simulation::Settings settings;
    settings.algorithm = ModexChoice::ring;
    Gathering::Settings gathering;
    gathering.rounds = 4;  // the fifth would not collect
    gathering.most = 100'000;
    Gathering job(*make_kary(3), block_placement(std::vector<uint32_t>(nodes, 1)), settings,
                  gathering);
    job.run();
    const auto& kinds = job.traffic().kinds;
    EXPECT_EQ(kinds[0], 4 * (nodes - 1)) << "up";
    EXPECT_EQ(kinds[order_kind], 4 * (nodes - 1));
    EXPECT_EQ(kinds[tree_kind], 0U);
    EXPECT_EQ(kinds[peer_kind], 4 * nodes * (nodes - 1));
}

}  // namespace
}  // namespace launch
