// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/async/asio.hpp"
#include "core/link/patience.hpp"
#include "core/wire/route_messages.hpp"

namespace launch {

/// The conditions that the head waits for before it places ranks if there is a routing tree; see
/// Routing. Sans I/O.
class RouteSetup {
  public:
    enum class Phase : uint8_t {
        none,      ///< not begun
        contacts,  ///< they are on their way here
        moving,    ///< each node looks for its place
        settled,   ///< all have theirs, or stay as they were started
    };
    Phase phase() const { return phase_; }
    /// All nodes together have until then.
    void enter(Phase phase, Clock::time_point deadline);
    bool late() const { return Clock::now() >= deadline_; }
    /// This process was stopped, or its machine slept, when the time was over: what nodes have said
    /// meanwhile may not have been read yet.
    bool was_away() const { return Clock::now() - patience::hold >= deadline_; }
    Clock::time_point deadline() const { return deadline_; }

    /// The nodes that look for a place.
    void ask(const RoutesMessage& routes);
    void heard(const RoutedMessage& routed);
    /// It runs no more.
    void lost(NodeIndex node);
    /// Nodes that have no place yet, ascending.
    const std::vector<NodeIndex>& waiting() const { return waiting_; }

    /// Nodes that got another place than the planned one, all for the same reason.
    struct Detour {
        NodeIndex wanted = 0;
        NodeIndex parent = 0;
        std::string cause;
        std::vector<NodeIndex> nodes;
    };
    const std::vector<Detour>& detours() const { return detours_; }

  private:
    Phase phase_ = Phase::none;
    Clock::time_point deadline_ = Clock::time_point::max();
    std::vector<NodeIndex> waiting_;
    std::vector<Detour> detours_;
};

}  // namespace launch
