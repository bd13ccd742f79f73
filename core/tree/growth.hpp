// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "core/topology.hpp"

namespace launch {

/// How many new nodes each child of a node gets below it.
struct GrowthShares {
    std::vector<NodeIndex> of_children;  ///< those that the node has, in their order
    std::vector<NodeIndex> of_new;       ///< new children, each with itself; none is 0
};

/// Deals `count` new nodes below a node that has children with subtrees of those sizes, and room
/// for so many more children: always one to a smallest subtree, where a free place is the smallest
/// of all. So depth grows last, and every part at once. Without room nobody gets a new child, and
/// without children and room the node takes all below one, as a tree of that topology would end
/// elsewhere. Pure.
GrowthShares deal_growth(const std::vector<NodeIndex>& sizes, size_t room, NodeIndex count);

}  // namespace launch
