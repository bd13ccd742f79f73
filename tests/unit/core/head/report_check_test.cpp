// SPDX-License-Identifier: MIT
#include "core/head/report_check.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

constexpr NodeIndex origin = 5;
constexpr NodeIndex other_node = 6;
constexpr uint32_t own_rank = 40;
constexpr uint32_t other_rank = 41;

bool is_about_origin(const JobReport& report) {
    return launch::is_about_origin(origin, report, [](uint32_t rank) { return rank == own_rank; });
}

FaultMessage fault(uint32_t rank, FaultMessage::Kind kind) {
    FaultMessage message;
    message.rank = rank;
    message.kind = kind;
    return message;
}

FailureMessage refusal(NodeIndex node, std::vector<NodeRange> below = {}) {
    FailureMessage message;
    message.node = node;
    message.below = std::move(below);
    return message;
}

TEST(ReportCheck, a_node_reports_its_own_state_and_that_of_its_own_ranks) {
    const std::vector<JobReport> own{
        UnreadyMessage{origin, {}, 0},
        StagedMessage{origin},
        refusal(origin),
        ExitsMessage{{{own_rank, {}, {}}}},
        CostsMessage{{{own_rank}}},
        SpawnMessage{origin, 1, own_rank, {}},
        fault(own_rank, FaultMessage::Kind::aborted),
        fault(other_rank, FaultMessage::Kind::absent),
    };
    for (size_t i = 0; i < own.size(); ++i)
        EXPECT_TRUE(is_about_origin(own[i])) << i;
    const std::vector<JobReport> foreign{
        UnreadyMessage{other_node, {}, 0},
        StagedMessage{other_node},
        refusal(other_node),
        refusal(origin, {{other_node, 1}}),
        ExitsMessage{{{own_rank, {}, {}}, {other_rank, {}, {}}}},
        CostsMessage{{{other_rank}}},
        SurveyMessage{1, {origin}},  // it is merged by each node on its way
        SpawnMessage{other_node, 1, own_rank, {}},
        SpawnMessage{origin, 1, other_rank, {}},
        fault(other_rank, FaultMessage::Kind::aborted),
        fault(other_rank, FaultMessage::Kind::unfinished),
    };
    for (size_t i = 0; i < foreign.size(); ++i)
        EXPECT_FALSE(is_about_origin(foreign[i])) << i;
}

TEST(ReportCheck, a_node_says_of_itself_alone_that_it_is_up_and_what_it_has_cost) {
    NodeStats stats;
    stats.node = other_node;
    const auto report = [](const std::string& body) { return Report{{origin, 1}, body}; };
    const std::string own = NodesMessage{{origin}}.encode();
    const std::string two = NodesMessage{{origin, other_node}}.encode();
    const std::string costs = stats.encode();
    EXPECT_TRUE(launch::is_about_origin(FrameType::nodes_up, report(own)));
    EXPECT_FALSE(launch::is_about_origin(FrameType::nodes_up, report(two)));
    EXPECT_FALSE(launch::is_about_origin(FrameType::stats, report(costs)));
}

}  // namespace
}  // namespace launch
