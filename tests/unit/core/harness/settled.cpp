// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/settled.hpp"

#include <map>
#include <vector>

namespace launch {
namespace {

using Nodes = std::vector<NodeIndex>;

/// The parents of each node that has any.
std::map<NodeIndex, Nodes> all_parents(const World& world, NodeIndex nodes) {
    std::map<NodeIndex, Nodes> parents;
    for (NodeIndex node = 0; node <= nodes; ++node)
        if (const FakeModex* part = world.part(node))
            for (const NodeIndex child : part->children)
                parents[child].push_back(node);
    return parents;
}

std::string wrong_with(World& world, const Talk& talk, NodeIndex node, const Nodes& parents) {
    const bool runs = world.network.running(node) != nullptr;
    const bool is_lost = world.job().is_lost(node);
    if (world.head().hosts().is_up(node) == is_lost)
        return is_lost ? "is lost, and up for the head" : "is not lost, nor up for the head";
    if (!runs && !is_lost) return "is gone and nobody says so";
    if (!runs) return parents.empty() ? "" : "is gone and has a parent";
    if (is_lost) return "is lost, and runs";
    if (parents.size() != 1) return "has " + std::to_string(parents.size()) + " parents";
    if (world.part(node) == nullptr) return "has not heard of the job";
    return talk.missing_of(node, parents.front());
}

std::string text_of(const std::vector<NodeRange>& ranges) {
    std::string text;
    for (const NodeRange& range : ranges)
        text += " " + std::to_string(range.first) + "+" + std::to_string(range.count);
    return text;
}

}  // namespace

std::string unsettled(World& world, const Talk& talk, NodeIndex nodes) {
    auto parents = all_parents(world, nodes);
    for (NodeIndex node = 1; node <= nodes; ++node) {
        const std::string wrong = wrong_with(world, talk, node, parents[node]);
        if (!wrong.empty()) return "node " + std::to_string(node) + " " + wrong;
    }
    return {};
}

awaitable<std::string> settle_and_finish(World& world, const Talk& talk, NodeIndex nodes,
                                         Clock::duration limit, const Losses& losses) {
    std::string faults;
    const auto add = [&faults](const std::string& fault) {
        if (!fault.empty()) faults += fault + "\n";
    };
    const auto is_settled = [&] { return world.settle() && unsettled(world, talk, nodes).empty(); };
    const bool settled = co_await wait_until(world, is_settled, limit);
    if (!settled) add(unsettled(world, talk, nodes));
    add(losses.wrong());
    std::string said;
    for (const FailureMessage& failure : world.job().failures)
        said += failure.error.cause + "\n";
    add(world.network.nonsense(said));
    if (!faults.empty()) add(picture(world, nodes));
    add(talk.disorder(nodes));
    co_await world.run_to_finish();
    if (faults.empty()) add(losses.wrong());
    for (const std::string& node : world.stuck())
        add("does not end: " + node);
    if (world.network.open_ends() > 0) add("open streams are left");
    co_return faults;
}

std::string picture(World& world, NodeIndex nodes) {
    std::string text = !world.settle() ? "not placed; " : "";
    for (const FailureMessage& failure : world.job().failures)
        text += "failure of " + std::to_string(failure.node) + ", below" + text_of(failure.below) +
                ", restarted" + text_of(failure.restarted) + ": " + failure.error.cause + "\n";
    for (NodeIndex node = 0; node <= nodes; ++node) {
        if (world.job().is_lost(node)) text += "lost " + std::to_string(node) + ", ";
        if (world.network.running(node) == nullptr) continue;
        text += std::to_string(node) + ":";
        if (const FakeModex* part = world.part(node))
            for (const NodeIndex child : part->children)
                text += " " + std::to_string(child);
        text += "; ";
    }
    return text;
}

}  // namespace launch
