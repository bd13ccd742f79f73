// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/job/plan.hpp"

namespace launch {

/// A box of a picture of the tree.
struct ShownNode {
    std::string names;  ///< of the host, or of several, folded
    std::string more;   ///< its ranks; of a box that stands for several trees, what they are
    bool stands_for_others = false;
    bool is_spare = false;
    std::vector<ShownNode> below;
};

/// The whole tree; folded where it has more than `full_up_to` nodes.
ShownNode shown_tree(const Plan& plan, NodeIndex full_up_to);

}  // namespace launch
