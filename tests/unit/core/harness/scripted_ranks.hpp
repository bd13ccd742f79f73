// SPDX-License-Identifier: MIT
#pragma once

#include "tests/unit/core/harness/network.hpp"
#include "tests/unit/core/harness/scripted_rank.hpp"

namespace launch {

/// The ranks of all jobs in a network: they follow the book, and exchange cards as those of the
/// product do. From before the first job to the end of the last.
struct ScriptedRanks : RankBook {
    explicit ScriptedRanks(Network& network);
    ScriptedRanks(const ScriptedRanks&) = delete;
    ScriptedRanks& operator=(const ScriptedRanks&) = delete;
};

}  // namespace launch
