// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "core/tree/contact_gather.hpp"
#include "core/tree/route_state.hpp"
#include "core/tree/route_table.hpp"

namespace launch {

/// What a node knows of all others, and how far it has come from the tree of the start to the
/// routing tree. That goes so:
///
///  1. Contacts go up to the head (ContactGather).
///  2. Those of all nodes come down (`table`). From then on a node's children are those that the
///     routing tree has for it, and it looks for its place there as one does that has lost its
///     parent: it asks its parent in that tree, or the next above that it can reach. Who can reach
///     none of them asks the parent that it has: it stays below that one.
///  3. Who is asked answers when it has its own place. So places are taken from the head downwards,
///     and each node tells the head again what that has not confirmed just once, by a way that does
///     not change any more. Whoever is above has a smaller index in either tree, so no ring can
///     come about.
///
/// No ranks run yet: their start is the first that goes by the routing tree.
///
/// Where large data is to go between any two nodes, the first two steps come in the middle of a
/// job, and nobody changes the tree.
struct Routing {
    /// Of a node and its block, in a tree of so many nodes.
    Routing(NodeIndex self, NodeIndex size, NodeIndex nodes)
        : gather(self, size), placed(nodes, false) {}

    void step(RouteEvent event) { state = next(state, event); }

    bool has_place(NodeIndex node) const { return node < placed.size() && placed[node]; }
    /// False: the routing tree has no such node. One that joined later has its place elsewhere.
    bool set_place(NodeIndex node) {
        if (node >= placed.size()) return false;
        placed[node] = true;
        return true;
    }
    /// The range is the block of its first node, which comes to another parent: which of these
    /// nodes come with it? If the first node had its place in the routing tree, all; if not, it and
    /// all others that have none yet.
    std::vector<NodeRange> moving_with(NodeRange nodes) const;

    RouteState state = RouteState::of_start;

    ContactGather gather;
    std::optional<RouteTable> table;
    /// Nodes below this one, by their indices, that have told the head by way of this node that
    /// they have their place.
    std::vector<bool> placed;
};

}  // namespace launch
