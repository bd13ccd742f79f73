// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "tests/unit/core/harness/network.hpp"

namespace launch {

/// Writes a line for each event of a network to standard error as it happens, for a developer who
/// looks for the cause of a failure whose seed is known.
class EventLog {
  public:
    void add(const std::string& what) const;
    /// A frame that leaves that end of a cable.
    void add(const Network& network, const Cable& cable, Cable::Side from, FrameType type) const;
    /// Adds each frame of the network from now on; nobody else watches that. It outlives the
    /// network.
    void follow(Network& network) const;
};

}  // namespace launch
