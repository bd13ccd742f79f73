// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "modex/exchange/exchange_state.hpp"

namespace launch {

/// What ranks tell all the others: over every link of the tree once, away from where it comes from,
/// so that every node but the first is told once.
class EventFlood {
  public:
    explicit EventFlood(ExchangeState& state) : state_(state) {}

    /// A local rank's; the other ranks here have been told.
    void tell(const std::string& data);
    /// `child` nothing: from the parent.
    void from(std::optional<NodeIndex> child, const Told& message);

  private:
    void pass_on(std::optional<NodeIndex> child, bool up, const Told& message);

    ExchangeState& state_;
};

}  // namespace launch
