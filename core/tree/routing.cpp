// SPDX-License-Identifier: MIT
#include "core/tree/routing.hpp"

namespace launch {

std::vector<NodeRange> Routing::moving_with(const std::vector<NodeRange>& nodes) const {
    if (has_place(nodes.front().first)) return nodes;
    return nodes_that(nodes, [this](NodeIndex node) { return !has_place(node); });
}

}  // namespace launch
