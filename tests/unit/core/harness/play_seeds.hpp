// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>
#include <string>

#include "tests/unit/core/harness/env_number.hpp"
#include "tests/unit/core/harness/event_log.hpp"

namespace launch {

/// Plays random runs, each by its seed. Run(seed, log).play() returns a `fault`, which is empty
/// where all is right, and a `fingerprint`.
struct Seeds {
    std::string variable;  ///< names the seed of the one run that is to be replayed with a log
    uint32_t usual = 1;    ///< runs, if VARIABLES does not say how many; from seed VARIABLES_FROM
    uint32_t one_of = 1;   ///< one run of so many is played
    uint32_t twice_of = 100;  ///< and of those one of so many twice

    template <class Run>
    void play() const {
        const EventLog log;
        if (const auto one = env_number(variable.c_str())) {
            EXPECT_EQ(Run(*one, &log).play().fault, "");
            return;
        }
        const uint32_t first = env_number((variable + "S_FROM").c_str()).value_or(1);
        const uint32_t runs = env_number((variable + "S").c_str()).value_or(usual);
        for (uint32_t i = 0; i < runs; i += one_of) {
            const uint32_t seed = first + i;
            const auto played = Run(seed, nullptr).play();
            EXPECT_EQ(played.fault, "") << variable << "=" << seed << " replays it";
            if (i / one_of % twice_of != 0) continue;
            EXPECT_EQ(Run(seed, nullptr).play().fingerprint, played.fingerprint) << seed;
        }
    }
};

}  // namespace launch
