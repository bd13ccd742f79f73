// SPDX-License-Identifier: MIT
#include "topologies/blocks.hpp"

namespace launch {

const std::vector<SiblingRun>& SiblingRuns::below(NodeIndex block) {
    topology_.children(0, block, children_);
    runs_.clear();
    for (size_t i = 0; i < children_.size(); ++i) {
        const NodeIndex end = i + 1 < children_.size() ? children_[i + 1] : block;
        const NodeIndex size = end - children_[i];
        if (runs_.empty() || runs_.back().block != size) runs_.push_back({size, 0});
        ++runs_.back().count;
    }
    return runs_;
}

}  // namespace launch
