// SPDX-License-Identifier: MIT
#include "core/tree/routing.hpp"

namespace launch {

std::vector<NodeRange> Routing::moving_with(NodeRange nodes) const {
    if (has_place(nodes.first)) return {nodes};
    std::vector<NodeRange> moving;
    for (NodeIndex i = 0; i < nodes.count; ++i) {
        const NodeIndex node = nodes.first + i;
        if (!has_place(node)) append_nodes(moving, {node, 1});
    }
    return moving;
}

}  // namespace launch
