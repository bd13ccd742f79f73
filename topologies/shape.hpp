// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/topology.hpp"

namespace launch {

/// The properties of a tree, in numbers.
struct Shape {
    uint32_t depth = 0;       ///< edges from the root to the deepest node
    uint32_t max_degree = 0;  ///< most children of one node
    uint64_t edges = 0;       ///< connections made, in all
    std::vector<std::pair<uint32_t, uint64_t>> degree_histogram;  ///< (children, nodes), ascending
    std::vector<uint64_t> nodes_per_depth;                        ///< [0] is the root: 1

    bool operator==(const Shape&) const = default;
};

/// The shape of the topology's tree of n >= 1 nodes. Costs a step per distinct subtree size a
/// level, not one per node: microseconds for a k-ary tree of a million nodes.
Shape shape_of(const Topology& topology, NodeIndex n);

}  // namespace launch
