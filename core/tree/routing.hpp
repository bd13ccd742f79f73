// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "core/tree/contact_gather.hpp"
#include "core/tree/route_state.hpp"
#include "core/tree/route_table.hpp"

namespace launch {

/// A node's knowledge of all others, and its state in the switch from the tree of the start to the
/// routing tree. The switch has three steps:
///
///  1. Contacts go up to the head (ContactGather).
///  2. The contacts of all nodes come down (`table`). From then on a node's children are those of
///     the routing tree, and the node looks for its position there as if it had lost its parent: it
///     asks its parent in that tree, or the next node above that it can reach. A node that can
///     reach none of them asks its present parent, and stays below it.
///  3. A node answers when it has its own position. So positions are taken from the head downwards,
///     and each node repeats all unconfirmed reports to the head just once, along a path that no
///     longer changes. A parent has a smaller index in both trees, so no ring is possible.
///
/// No ranks run yet: their start is the first message along the routing tree.
///
/// If large data is to travel between any two nodes, the first two steps happen in the middle of a
/// job, and no node changes the tree.
struct Routing {
    /// For a node with its block, in a tree of `nodes` nodes.
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
    /// The first of these nodes comes to another parent, and says that the others are below it:
    /// which of them come with it? If it had its place in the routing tree, all; if not, it and all
    /// others that have none yet.
    std::vector<NodeRange> moving_with(const std::vector<NodeRange>& nodes) const;

    RouteState state = RouteState::of_start;

    ContactGather gather;
    std::optional<RouteTable> table;
    /// Nodes below this one, by their indices, that have told the head by way of this node that
    /// they have their place.
    std::vector<bool> placed;
};

}  // namespace launch
