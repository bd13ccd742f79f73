// SPDX-License-Identifier: MIT
#include "tests/unit/modex/exchange/script.hpp"

#include "tests/unit/modex/exchange/jobs.hpp"

namespace launch {
namespace {

TEST(ExchangeScript, ranks_see_what_was_put_before_a_fence) {
    for_each_job(25, [](const Topology& topology, const NodeRanks& placed, const auto& settings) {
        Script script(topology, placed, settings, {});
        script.run();
    });
}

TEST(ExchangeScript, large_cards_are_seen_too) {
    for_each_job(4, [](const Topology& topology, const NodeRanks& placed, const auto& settings) {
        Script::Settings large;
        large.value_size = 3000;
        large.fences = 5;
        large.steps = 20;
        Script script(topology, placed, settings, large);
        script.run();
    });
}

TEST(ExchangeScript, small_fences_may_follow_large_ones) {
    for_each_job(25, [](const Topology& topology, const NodeRanks& placed, const auto& settings) {
        Script::Settings mixed;
        mixed.mixed = true;
        mixed.fences = 6;
        Script script(topology, placed, settings, mixed);
        script.run();
    });
}

/// What is read before its fence, which no program relies on, travels again with the fence: those
/// beyond would miss it.
TEST(ExchangeScript, no_card_goes_over_a_link_twice) {
    for_each_job(25, [](const Topology& topology, const NodeRanks& placed, const auto& settings) {
        Script::Settings plain;
        plain.early = false;
        plain.overwrite = false;
        plain.get_across = false;
        plain.steps = 12;
        plain.value_size = 400;
        Script script(topology, placed, settings, plain);
        script.run();
        for (const auto& [kinds, times] : script.traffic().repeats)
            ADD_FAILURE() << kinds << ": " << times;
    });
}

TEST(ExchangeScript, fences_go_on_without_ranks_that_exited) {
    for_each_job(25, [](const Topology& topology, const NodeRanks& placed, auto settings) {
        settings.absent_is_fatal = false;
        Script::Settings mortal;
        mortal.exits_of_hundred = 20;
        Script script(topology, placed, settings, mortal);
        script.run();
    });
}

TEST(ExchangeScript, fences_and_gets_go_on_without_nodes_that_are_lost) {
    for_each_job(30, [](const Topology& topology, const NodeRanks& placed, auto settings) {
        settings.absent_is_fatal = false;
        settings.heals = true;
        Script::Settings losing;
        losing.losses = 1 + settings.seed % 6;
        losing.fences = 6;
        losing.mixed = settings.seed % 3 == 0;
        losing.exits_of_hundred = settings.seed % 4 == 0 ? 20 : 0;
        losing.value_size = settings.seed % 3 == 1 ? 1000 : 40;
        Script script(topology, placed, settings, losing);
        script.run();
    });
}

}  // namespace
}  // namespace launch
