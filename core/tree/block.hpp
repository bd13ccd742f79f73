// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "core/hosts/host.hpp"
#include "core/topology.hpp"

namespace launch {

/// A contiguous block of the tree's nodes: the first is the root of the block's subtree.
struct Block {
    NodeIndex first = 0;
    std::vector<Host> hosts;
    uint32_t generation = 0;  ///< of the relays there, see core/tree/generations.hpp

    NodeIndex size() const { return static_cast<NodeIndex>(hosts.size()); }
    bool contains(NodeIndex node) const { return node >= first && node - first < size(); }
    bool contains(NodeIndex node, NodeIndex count) const {
        return contains(node) && count <= size() - (node - first);
    }
    NodeRange range() const { return {first, size()}; }
    /// Part of the block, by offset.
    Block slice(size_t begin, size_t end) const;
    /// The part of the block with `count` nodes from `node` on.
    Block part(NodeIndex node, NodeIndex count) const {
        return slice(node - first, node - first + count);
    }
};

}  // namespace launch
