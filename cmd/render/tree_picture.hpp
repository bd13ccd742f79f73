// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace launch {

/// A box of a picture of a tree, of hosts or of functions, with the boxes to its right.
struct ShownNode {
    std::string names;  ///< of a host, of several, folded, or of functions
    std::string more;   ///< its ranks; of a box that stands for several trees, their number
    bool stands_for_others = false;
    bool is_spare = false;
    std::vector<ShownNode> below = {};
    size_t rows = 1;  ///< that it and all below it take: one for each that has nobody below
    size_t columns = 1;

    /// Sets `rows` and `columns` by the nodes below, which have been measured.
    void measure();
};

std::string tree_svg(const ShownNode& tree, const std::string& title);
/// For Graphviz.
std::string tree_dot(const ShownNode& tree, const std::string& title);

}  // namespace launch
