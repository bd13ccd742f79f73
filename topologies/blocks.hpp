// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "core/topology.hpp"

namespace launch {

/// Consecutive siblings whose subtrees have the same size, and so the same shape.
struct SiblingRun {
    NodeIndex block = 0;  ///< nodes in each subtree
    NodeIndex count = 0;  ///< how many siblings

    bool operator==(const SiblingRun&) const = default;
};

/// Makes queries of whole trees cheap: by self-similarity a subtree depends on its size alone, and
/// the sizes below a root come in few runs. Keeps its buffers between calls.
class SiblingRuns {
  public:
    explicit SiblingRuns(const Topology& topology) : topology_(topology) {}

    /// The children of the root of a tree of `block` nodes, in order. Valid until the next call.
    const std::vector<SiblingRun>& below(NodeIndex block);

  private:
    const Topology& topology_;
    std::vector<NodeIndex> children_;
    std::vector<SiblingRun> runs_;
};

}  // namespace launch
