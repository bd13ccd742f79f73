// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "core/topology.hpp"

namespace launch {

/// For which nodes of a block it is settled what becomes of them: they have come, or never will.
/// Each counts once, however often it is told, and whatever is told of it later. Sans I/O.
class SettledNodes {
  public:
    SettledNodes() = default;
    explicit SettledNodes(NodeRange block) : first_(block.first), settled_(block.count) {}

    /// Those that are not of the block do not count.
    void add(NodeRange nodes);
    void add_all() { add({first_, static_cast<NodeIndex>(settled_.size())}); }
    bool all() const { return count_ == settled_.size(); }

  private:
    NodeIndex first_ = 0;
    std::vector<bool> settled_;  ///< by node
    size_t count_ = 0;
};

}  // namespace launch
