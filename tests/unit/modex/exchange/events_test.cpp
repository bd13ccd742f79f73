// SPDX-License-Identifier: MIT
#include <algorithm>

#include "modex/exchange/exchange.hpp"
#include "tests/unit/modex/exchange/jobs.hpp"
#include "tests/unit/modex/exchange/recorder.hpp"

namespace launch {
namespace {

using Reply = Recorder::Reply;

TEST(ExchangeEvents, what_a_rank_tells_comes_to_all_other_nodes_once) {
    for_each_job(5, [](const Topology& topology, const NodeRanks& placed, const auto& settings) {
        Recorder told;
        Simulation simulation(topology, placed, settings, told);
        std::vector<NodeIndex> senders;
        for (NodeIndex node = 0; node < placed.size(); ++node) {
            if (placed[node].empty()) continue;
            senders.push_back(node);
            simulation.at(node).tell_event(std::to_string(node));
            for (uint32_t i = 0; i < simulation.random()() % 4; ++i)
                simulation.step();
        }
        simulation.run();
        for (const NodeIndex node : senders) {
            std::vector<std::string> others;
            for (const NodeIndex sender : senders) {
                if (sender != node) others.push_back(std::to_string(sender));
            }
            auto& events = told.events[node];
            std::sort(events.begin(), events.end());
            std::sort(others.begin(), others.end());
            EXPECT_EQ(events, others) << "at " << node;
        }
        EXPECT_EQ(simulation.traffic().refused, 0U);
    });
}

/// The root is told that two nodes have left a child's subtree, and then that one is there still.
TEST(ExchangeEvents, ranks_that_are_below_a_child_still_are_asked_there) {
    const auto chain = make_chain();
    Recorder told;
    Simulation::Settings settings;
    settings.heals = true;
    Simulation simulation(*chain, {{0}, {1}, {2}, {3}}, settings, told);
    simulation.at(0).release_child(1, {runs_of({2}), runs_of({3})}, {runs_of({1})});
    simulation.at(0).fetch(1, 2);
    simulation.run();
    EXPECT_TRUE(told.wanted.empty()) << "nobody knows where rank 2 is";
    simulation.at(0).widen_child(1, {runs_of({1}), runs_of({2})});
    simulation.at(0).fetch(2, 2);
    simulation.run();
    EXPECT_EQ(told.wanted, (std::vector<std::pair<NodeIndex, uint32_t>>{{2, 2}}));
}

TEST(ExchangeEvents, deaths_are_told_once_to_all_who_watch) {
    for_each_job(5, [](const Topology& topology, const NodeRanks& placed, const auto& settings) {
        Recorder told;
        Simulation simulation(topology, placed, settings, told);
        std::vector<uint32_t> dead;
        std::vector<NodeIndex> watchers;
        for (NodeIndex node = 0; node < placed.size(); ++node) {
            for (const uint32_t rank : placed[node]) {
                if (rank % 3 != 0) continue;
                simulation.at(node).died(rank);
                dead.push_back(rank);
            }
            for (uint32_t i = 0; i < simulation.random()() % 4; ++i)
                simulation.step();
            if (placed[node].empty() || node % 2 != 0) continue;
            simulation.at(node).watch_deaths();
            watchers.push_back(node);
        }
        simulation.run();
        std::sort(dead.begin(), dead.end());
        for (const NodeIndex node : watchers) {
            auto& deaths = told.deaths[node];
            std::sort(deaths.begin(), deaths.end());
            EXPECT_EQ(deaths, dead) << "at " << node;
        }
        for (const auto& [node, deaths] : told.deaths)
            EXPECT_EQ(node % 2, 0U) << "did not watch";
        EXPECT_EQ(simulation.traffic().refused, 0U);
    });
}

TEST(ExchangeEvents, who_does_not_watch_may_ask_who_has_died) {
    Recorder told;
    Simulation simulation(*make_kary(2), block_placement({0, 500, 500}), {}, told);
    uint64_t ticket = 0;
    const auto dead = [&] {
        simulation.of(700).name(NameAsk::Verb::dead, ++ticket, {}, {});
        simulation.run();
        return told.replies.at(ticket);
    };
    EXPECT_EQ(dead(), (Reply{false, "key_not_found"}));
    simulation.of(7).died(7);
    simulation.run();
    EXPECT_EQ(dead(), (Reply{true, "7"}));
    for (const uint32_t rank : {3U, 4U, 600U, 5U, 8U, 3U})
        simulation.of(rank).died(rank);
    simulation.run();
    EXPECT_EQ(dead(), (Reply{true, "3-5,7-8,600"}));
    EXPECT_EQ(simulation.traffic().kinds[ExchangeMessage(Deaths{}).index()], 7U);  // up only
    for (uint32_t rank = 100; rank < 1000; rank += 2)
        simulation.of(rank).died(rank);
    simulation.run();
    const std::string most = dead().value;
    EXPECT_LE(most.size(), 800U);
    EXPECT_GT(most.size(), 795U);
    EXPECT_NE(most.back(), ',');
}

}  // namespace
}  // namespace launch
