// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/topology.hpp"

namespace launch {

/// A rank that runs, with all processes below it.
struct RankState {
    uint32_t rank = 0;
    uint32_t pid = 0;
    char state = '?';  ///< of its own process, as ps(1) shows it
    uint64_t cpu_ms = 0;
    uint64_t resident_kib = 0;

    bool operator==(const RankState&) const = default;
};

/// The resources that the ranks of a job use at a node, at the head's request.
struct SurveyMessage {
    NodeIndex node = 0;
    uint64_t survey = 0;  ///< the number of the question
    std::vector<RankState> ranks;

    std::string encode() const;
    static std::optional<SurveyMessage> decode(std::string_view payload);
    bool operator==(const SurveyMessage&) const = default;
};

}  // namespace launch
