// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "modex/exchange/exchange_state.hpp"

namespace launch {

/// Events of ranks for all other ranks. Each travels once over every link of the tree, away from
/// its origin, so every node except the first gets it once.
class EventFlood {
  public:
    explicit EventFlood(ExchangeState& state) : state_(state) {}

    /// Sends an event of a local rank; the other ranks here already have it.
    void tell(const std::string& data);
    /// `child` nothing: from the parent.
    void from(std::optional<NodeIndex> child, const Told& message);

  private:
    void pass_on(std::optional<NodeIndex> child, bool up, const Told& message);

    ExchangeState& state_;
};

}  // namespace launch
