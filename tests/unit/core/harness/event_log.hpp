// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "tests/unit/core/harness/network.hpp"

namespace launch {

/// What happens in a network, a line each, on standard error as it happens: for who looks for the
/// cause of a failure whose seed is known.
class EventLog {
  public:
    void add(const std::string& what) const;
    /// A frame that leaves that end of a cable.
    void add(const Network& network, const Cable& cable, Cable::Side from, FrameType type) const;
};

}  // namespace launch
