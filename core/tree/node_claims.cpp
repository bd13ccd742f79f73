// SPDX-License-Identifier: MIT
// For which nodes a child may speak, and by which way a caller may come.
//
// An intruder on a host can harm that host and the hosts below it, and no others
// (`launch help links`). A caller proves its place in the tree of the start, or, where there is a
// routing tree, its public key (transports/direct/link_keys.hpp); what a child then says is looked
// at here, by every node on the way to the head. In a routing tree nodes come to parents of all
// branches, and which of them have, only the head knows: there a child may speak for all nodes with
// larger numbers than its own.

#include <algorithm>

#include "core/tree/node.hpp"

namespace launch {

/// A child that came here from below another child belongs to that one's branch.
SubtreeMap::ChildId Node::branch_of(const Child& child) const {
    return branches_.owner(child.index()).value_or(child.id());
}

bool Node::may_speak_for(const Child& child, const std::vector<NodeRange>& nodes) const {
    return std::all_of(nodes.begin(), nodes.end(),
                       [&](NodeRange range) { return may_speak_for(child, range); });
}

bool Node::may_speak_for(const Child& child, NodeRange nodes) const {
    if (!is_below(nodes) || nodes.first < child.index()) return false;
    if (settings_.routing != nullptr) return true;
    for (const auto& [first, count] : parts_within({nodes}, start_range()))
        if (!child.block().contains(first, count)) return false;
    const auto branch = branch_of(child);
    for (const auto& [first, count] : parts_within({nodes}, joined_range()))
        for (NodeIndex i = 0; i < count; ++i)
            if (branches_.owner(first + i) != branch) return false;
    return true;
}

/// A node can make keys for all numbers of nodes that join below it, also for those that were
/// handed to another branch. So the way that a caller has proved must lead through its own branch.
/// In a routing tree it may have been handed on through another one.
bool Node::comes_along_its_branch(const DirectCall& call) const {
    if (settings_.routing != nullptr || call.path.empty() || !has_joined(call.from)) return true;
    const auto branch = branches_.owner(call.from);
    return branch && branches_.owner(call.path.front().first) == branch;
}

/// The caller names a larger block than it has proved to have been given. In a routing tree it has
/// another block than at the start.
bool Node::claims_more(const DirectCall& call, const AttachMessage& message) const {
    const bool proved = settings_.routing == nullptr && !call.path.empty();
    return proved && message.size > call.path.back().count;
}

}  // namespace launch
