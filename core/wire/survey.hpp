// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/job/placement.hpp"
#include "core/topology.hpp"
#include "core/wire/stack_groups.hpp"

namespace launch {

/// A question of the head to all nodes of a job, about the ranks that run there.
struct SurveyOrder {
    enum class Subject : uint8_t {
        usage,   ///< the resources that they use
        stacks,  ///< the functions that they are in
        cores,   ///< those that ranks were in that died, if their core files are taken
        last = cores,
    };

    uint64_t survey = 0;  ///< the number of the question
    Subject subject = Subject::usage;
    std::vector<RankRun> ranks{};  ///< empty: all
    /// A node answers by then with what is known there. It passes on later answers as they are.
    std::chrono::milliseconds limit{0};

    std::string encode() const;
    static std::optional<SurveyOrder> decode(std::string_view payload);
    bool operator==(const SurveyOrder&) const = default;
};

/// A rank that runs, with all processes below it.
struct RankState {
    NodeIndex node = 0;
    uint32_t rank = 0;
    uint32_t pid = 0;
    char state = '?';  ///< of its own process, as ps(1) shows it
    uint64_t cpu_ms = 0;
    uint64_t resident_kib = 0;
    uint64_t thread_cpu_ms = 0;  ///< what threads of `cpu_ms` used that are not a main thread

    bool operator==(const RankState&) const = default;
};

/// The answer of these nodes. A node merges its own answer with those from below.
struct SurveyMessage {
    uint64_t survey = 0;
    std::vector<NodeIndex> nodes;
    std::vector<RankState> ranks{};  ///< the answer about Subject::usage
    StackGroups stacks{};            ///< the answer about Subject::stacks and cores

    void merge(SurveyMessage other);
    std::string encode() const;
    static std::optional<SurveyMessage> decode(std::string_view payload);
    bool operator==(const SurveyMessage&) const = default;
};

}  // namespace launch
