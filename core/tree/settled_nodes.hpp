// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "core/topology.hpp"

namespace launch {

/// The nodes of a block whose start is settled: they have come, or never will. Each counts once,
/// however often it is reported, and whatever is reported later. Sans I/O.
class SettledNodes {
  public:
    SettledNodes() = default;
    explicit SettledNodes(NodeRange block) : first_(block.first), settled_(block.count) {}

    /// Adds nodes; those outside the block do not count.
    void add(NodeRange nodes);
    void add_all() { add({first_, static_cast<NodeIndex>(settled_.size())}); }
    bool all() const { return count_ == settled_.size(); }

  private:
    NodeIndex first_ = 0;
    std::vector<bool> settled_;  ///< by node
    size_t count_ = 0;
};

}  // namespace launch
