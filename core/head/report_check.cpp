// SPDX-License-Identifier: MIT
#include "core/head/report_check.hpp"

#include <algorithm>

#include "core/wire/messages.hpp"
#include "core/wire/stats.hpp"

namespace launch {
namespace {

/// The report of a job, one type after the other.
struct Check {
    NodeIndex origin;
    const RanksOfOrigin& is_own;

    bool operator()(const UnreadyMessage& message) const { return message.node == origin; }
    bool operator()(const StagedMessage& message) const { return message.node == origin; }
    bool operator()(const FailureMessage& message) const {
        return message.node == origin && message.below.empty();
    }
    bool operator()(const ExitsMessage& message) const { return all_own(message.exits); }
    bool operator()(const CostsMessage& message) const { return all_own(message.ranks); }
    bool operator()(const SurveyMessage&) const { return false; }  // it is for a node's parent
    bool operator()(const SpawnMessage& message) const {
        return message.node == origin && is_own(message.rank);
    }
    bool operator()(const FaultMessage& message) const {
        return message.kind == FaultMessage::Kind::absent || is_own(message.rank);
    }

  private:
    template <class OfRanks>
    bool all_own(const std::vector<OfRanks>& all) const {
        return std::all_of(all.begin(), all.end(),
                           [this](const OfRanks& one) { return is_own(one.rank); });
    }
};

}  // namespace

bool is_about_origin(NodeIndex origin, const JobReport& report, const RanksOfOrigin& is_own) {
    return std::visit(Check{origin, is_own}, report);
}

bool is_about_origin(FrameType type, const Report& report) {
    const NodeIndex origin = report.header.origin;
    if (type == FrameType::nodes_up) {
        const auto message = NodesMessage::decode(report.body);
        return message && message->nodes == std::vector<NodeIndex>{origin};
    }
    if (type == FrameType::stats) {
        const auto message = NodeStats::decode(report.body);
        return message && message->node == origin;
    }
    return true;
}

}  // namespace launch
