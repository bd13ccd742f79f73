// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace launch {

/// A node of a tree: 0 is the head, the others are its hosts in the order in which they are
/// started.
using NodeIndex = uint32_t;

/// A node among those of a routing tree, which are the ones that run; 0 is the head.
enum class RoutePosition : uint32_t {};

/// A host among those of a job that have ranks, from 0 (LAUNCH_NODE). It is no NodeIndex: hosts may
/// be missing, and a tree may carry other jobs.
enum class HostRank : uint32_t {};

template <class Index>
constexpr uint32_t index(Index at) {
    return static_cast<uint32_t>(at);
}

/// So many nodes in a row.
struct NodeRange {
    NodeIndex first = 0;
    NodeIndex count = 0;

    bool contains(NodeIndex node) const { return node >= first && node - first < count; }
    bool operator==(const NodeRange&) const = default;
};

/// Appends nodes to a list of ranges, to its last range where they follow that one.
inline void append_nodes(std::vector<NodeRange>& ranges, NodeRange next) {
    if (!ranges.empty() && ranges.back().first + ranges.back().count == next.first)
        ranges.back().count += next.count;
    else
        ranges.push_back(next);
}

/// Returns the nodes for which `is` is true, in the order of the ranges.
template <class Is>
std::vector<NodeRange> nodes_that(const std::vector<NodeRange>& ranges, const Is& is) {
    std::vector<NodeRange> nodes;
    for (const auto& [first, count] : ranges)
        for (NodeIndex i = 0; i < count; ++i)
            if (is(first + i)) append_nodes(nodes, {first + i, 1});
    return nodes;
}

/// Erases nodes from a set of nodes, or from a map by node.
template <class Nodes>
void erase_nodes(Nodes& nodes, NodeRange range) {
    if (range.count == 0) return;
    const NodeIndex last = range.first + (range.count - 1);
    nodes.erase(nodes.lower_bound(range.first), nodes.upper_bound(last));
}

/// A family of rooted trees, one for every number of nodes n >= 1. Node 0 is the root.
///
/// Contract, for every n and every node v < n:
///  - preorder and contiguous: the children of v, in increasing order c1 < c2 < ..., start the
///    blocks [c1, c2), [c2, c3), ... that with v itself are exactly v's subtree, and c1 == v + 1;
///  - self-similar: the subtree of a node with m nodes, numbered from its root, is the family's
///    tree of m nodes. A relay therefore needs its own block only, and a block whose first host
///    failed is still a block.
///  - arithmetic: nothing is stored per node; children() is O(children + depth), parent() O(depth).
class Topology {
  public:
    virtual ~Topology() = default;

    /// The name the user chooses it by, with its degree where it has one: "kary:32".
    virtual std::string name() const = 0;

    /// The children of v in increasing order; replaces the contents of `out`.
    virtual void children(NodeIndex v, NodeIndex n, std::vector<NodeIndex>& out) const = 0;

    /// The parent of v; v must not be 0.
    virtual NodeIndex parent(NodeIndex v, NodeIndex n) const = 0;
};

}  // namespace launch
