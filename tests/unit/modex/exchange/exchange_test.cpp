#include "modex/exchange/exchange.hpp"

#include <gtest/gtest.h>

#include "tests/unit/modex/exchange/script.hpp"
#include "topologies/binomial.hpp"
#include "topologies/chain.hpp"
#include "topologies/flat.hpp"
#include "topologies/kary.hpp"

namespace launch {
namespace {

constexpr auto algorithms = {ModexChoice::automatic, ModexChoice::gather, ModexChoice::on_demand};

std::vector<std::unique_ptr<Topology>> trees() {
    std::vector<std::unique_ptr<Topology>> all;
    for (const uint32_t degree : {1U, 2U, 3U, 32U})
        all.push_back(make_kary(degree));
    all.push_back(make_binomial());
    all.push_back(make_chain());
    return all;
}

/// Calls f(topology, placement, settings) for every tree and algorithm, `times` placements each.
template <class F>
void for_each_job(uint32_t times, F f) {
    uint32_t seed = 1;
    for (const auto& topology : trees()) {
        for (const ModexChoice algorithm : algorithms) {
            for (uint32_t i = 0; i < times; ++i) {
                std::mt19937 random(++seed);
                const auto nodes = static_cast<NodeIndex>(1 + random() % 20);
                const auto ranks = static_cast<uint32_t>(1 + random() % 40);
                Simulation::Settings settings;
                settings.algorithm = algorithm;
                settings.seed = seed;
                SCOPED_TRACE(topology->name() + " " +
                             std::string(modex_choice_names[static_cast<size_t>(algorithm)]) +
                             " nodes " + std::to_string(nodes) + " ranks " + std::to_string(ranks) +
                             " seed " + std::to_string(seed));
                f(*topology, random_placement(nodes, ranks, random), settings);
                if (testing::Test::HasFailure()) return;
            }
        }
    }
}

TEST(Exchange, ranks_see_what_was_put_before_a_fence) {
    for_each_job(25, [](const Topology& topology, const NodeRanks& placed, const auto& settings) {
        Script script(topology, placed, settings, {});
        script.run();
    });
}

TEST(Exchange, large_cards_are_seen_too) {
    for_each_job(10, [](const Topology& topology, const NodeRanks& placed, const auto& settings) {
        Script::Settings large;
        large.value_size = 3000;
        large.fences = 5;
        large.steps = 20;
        Script script(topology, placed, settings, large);
        script.run();
    });
}

TEST(Exchange, no_card_goes_over_a_link_twice) {
    for_each_job(25, [](const Topology& topology, const NodeRanks& placed, const auto& settings) {
        Script::Settings plain;
        plain.early = false;
        plain.overwrite = false;
        plain.get_across = false;
        plain.steps = 12;
        plain.value_size = 400;
        Script script(topology, placed, settings, plain);
        script.run();
        for (const auto& [kind, times] : script.traffic().repeats)
            ADD_FAILURE() << kind << ": " << times;
    });
}

TEST(Exchange, fences_go_on_without_ranks_that_exited) {
    for_each_job(25, [](const Topology& topology, const NodeRanks& placed, auto settings) {
        settings.absent_is_fatal = false;
        Script::Settings mortal;
        mortal.exits_of_hundred = 20;
        Script script(topology, placed, settings, mortal);
        script.run();
    });
}

}  // namespace
}  // namespace launch
