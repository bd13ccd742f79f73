// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/topology.hpp"

namespace launch {

/// The proof of a node's identity for the nodes above it in the tree of the start. Each node's key
/// is derived from its parent's key and the block of nodes that the node was given. So a node can
/// derive the keys of all nodes below it, whichever node starts them in the end, and no others.
/// Nodes that joined a running tree have numbers after all those of the start, and may be below any
/// node.
struct NodeKey {
    std::string key;  ///< empty: it has none
    /// The blocks that the nodes from the head down to this one were given, this one's last.
    std::vector<NodeRange> lineage;

    /// The blocks from below an ancestor down to this node's. Nothing: it is no ancestor.
    std::optional<std::vector<NodeRange>> path_from(NodeIndex ancestor) const {
        const auto at = std::find_if(lineage.begin(), lineage.end(), [ancestor](NodeRange block) {
            return block.first == ancestor;
        });
        if (at == lineage.end() || std::next(at) == lineage.end()) return std::nullopt;
        return std::vector<NodeRange>(std::next(at), lineage.end());
    }

    /// The node is below this one in the tree of the start.
    bool is_above(NodeIndex node) const {
        return !lineage.empty() && !has_joined(node) && is_below(lineage.back(), {node, 1});
    }

    /// A path may lead from this node down to that one: each block is in the one before, below its
    /// first node.
    bool may_lead_to(NodeIndex node, const std::vector<NodeRange>& path) const {
        if (lineage.empty() || path.empty() || path.back().first != node) return false;
        NodeRange above = lineage.back();
        for (const NodeRange& block : path) {
            if (!is_below(above, block)) return false;
            above = block;
        }
        return true;
    }

  private:
    bool is_below(NodeRange above, NodeRange block) const {
        const bool within =
            uint64_t{block.first} + block.count <= uint64_t{above.first} + above.count;
        return block.count > 0 && block.first > above.first && (within || has_joined(block.first));
    }
    /// The head's block is the tree of the start.
    bool has_joined(NodeIndex node) const {
        const NodeRange start = lineage.front();
        return uint64_t{node} >= uint64_t{start.first} + start.count;
    }
};

}  // namespace launch
