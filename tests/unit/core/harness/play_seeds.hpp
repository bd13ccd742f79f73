// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "tests/unit/core/harness/env_number.hpp"
#include "tests/unit/core/harness/event_log.hpp"
#include "tests/unit/core/harness/keep_for_ever.hpp"
#include "tests/unit/core/harness/shrink.hpp"

namespace launch {

/// The outcome of a random run.
struct PlayedRun {
    uint64_t fingerprint = 0;
    std::string fault;  ///< empty: all is right
    bool ended = true;
    uint32_t steps = 0;  ///< that there were
};

template <class Run>
PlayedRun play_to_end(std::unique_ptr<Run> run) {
    PlayedRun played = run->play();
    if (!played.ended) keep_for_ever(std::move(run));
    return played;
}

template <class Run, class... Of>
std::string fault_of(const Of&... of) {
    return play_to_end(std::make_unique<Run>(of...)).fault;
}

/// Plays random runs, each by its seed. Run(seed, log).play() returns its outcome; only() before it
/// leaves out all steps but some.
struct Seeds {
    std::string variable;  ///< names the seed of the one run that is to be replayed with a log
    uint32_t usual = 1;    ///< runs, if VARIABLES does not say how many; from seed VARIABLES_FROM
    uint32_t one_of = 1;   ///< one run of so many is played
    uint32_t twice_of = 100;  ///< and of those one of so many twice; 0: none

    template <class Run>
    void play() const {
        if (const auto one = env_number(variable.c_str())) return replay<Run>(*one);
        const uint32_t first = env_number((variable + "S_FROM").c_str()).value_or(1);
        const uint32_t runs = env_number((variable + "S").c_str()).value_or(usual);
        for (uint32_t i = 0; i < runs; i += one_of) {
            const uint32_t seed = first + i;
            const PlayedRun played = play_some<Run>(seed, {}, nullptr);
            EXPECT_EQ(played.fault, "")
                << variable << "=" << seed << " replays it, with LAUNCH_SHRINK=1 in few steps";
            if (twice_of == 0 || i / one_of % twice_of != 0) continue;
            const PlayedRun again = play_some<Run>(seed, {}, nullptr);
            EXPECT_EQ(again.fingerprint, played.fingerprint) << seed;
        }
    }

  private:
    template <class Run>
    static PlayedRun play_some(uint32_t seed, const std::optional<Steps>& steps,
                               const EventLog* log) {
        auto run = std::make_unique<Run>(seed, log);
        if (steps) run->only(*steps);
        return play_to_end(std::move(run));
    }

    /// With all steps, those that LAUNCH_RANDOM_STEPS names, or the fewest that show the fault.
    template <class Run>
    static void replay(uint32_t seed) {
        std::optional<Steps> steps = named_steps();
        if (env_number("LAUNCH_SHRINK")) {
            const auto fails = [seed](const Steps& some) {
                return !play_some<Run>(seed, some, nullptr).fault.empty();
            };
            steps = shrink(play_some<Run>(seed, {}, nullptr).steps, fails);
            std::cerr << "LAUNCH_RANDOM_STEPS='" << steps_text(*steps) << "'\n";
        }
        const EventLog log;
        EXPECT_EQ(play_some<Run>(seed, steps, &log).fault, "");
    }
};

}  // namespace launch
