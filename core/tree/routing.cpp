// SPDX-License-Identifier: MIT
#include "core/tree/routing.hpp"

namespace launch {

std::vector<NodeRange> Routing::moving_with(const std::vector<NodeRange>& nodes) const {
    if (has_place(nodes.front().first)) return nodes;
    std::vector<NodeRange> moving;
    for (const auto& [first, count] : nodes)
        for (NodeIndex i = 0; i < count; ++i)
            if (!has_place(first + i)) append_nodes(moving, {first + i, 1});
    return moving;
}

}  // namespace launch
