// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>

#include "tests/unit/core/harness/world.hpp"

namespace launch {

/// The nodes of a world that may be lost by what a test does to it. The others find another link or
/// another parent, because the head lives and can be reached.
class Losses {
  public:
    explicit Losses(World& world) : world_(world) {}

    /// Call this when a link breaks or stands still. Hosts that are being started may be lost with
    /// it. When the world is being ended, a node that has left looks like a lost one.
    void strike();
    /// Call this when a node dies or stands still: it may be lost, and hosts that it starts.
    void strike(NodeIndex node);
    /// Call this when hosts have begun to join: they may have been given to such a node.
    void joined();
    void allow(NodeIndex node) { allowed_.insert(node); }
    void allow_all() { all_ = true; }

    /// Returns which nodes are lost that may not be, or an empty text.
    std::string wrong() const;

  private:
    World& world_;
    std::set<NodeIndex> allowed_;
    bool all_ = false;
};

}  // namespace launch
