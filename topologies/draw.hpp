// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "core/topology.hpp"

namespace launch {

struct DrawOptions {
    bool ascii = false;         ///< "|--" instead of box characters
    bool full = false;          ///< one line for every node, nothing folded
    size_t max_lines = 60;      ///< folded drawings are cut at the depth that keeps to this
    NodeIndex full_up_to = 12;  ///< trees of so few nodes are drawn in full anyway
};

/// Names the nodes [first, last]; asked for (0, 0), the head, and for ranges without the head.
using NodeLabel = std::function<std::string(NodeIndex first, NodeIndex last)>;

/// The tree of n >= 1 nodes as text, a line for each node, every line ended. Unless in full, what
/// repeats is drawn once: of siblings with subtrees of one size the first is drawn and the others
/// are a line with their number and names; so are leaves, chains, and shapes already drawn. Costs
/// no step per node then, and every label is asked for once.
std::string draw_tree(const Topology& topology, NodeIndex n, const DrawOptions& options,
                      const NodeLabel& label);

}  // namespace launch
