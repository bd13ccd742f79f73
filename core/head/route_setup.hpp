#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/async/asio.hpp"
#include "core/wire/route_messages.hpp"

namespace launch {

/// What the head waits for before all nodes go over to the routing tree; see Routing. Sans I/O.
class RouteSetup {
  public:
    enum class Phase : uint8_t {
        none,      ///< not begun
        contacts,  ///< they are on their way here
        links,     ///< each node makes its own
        settled,   ///< all have gone over, or stay
    };
    Phase phase() const { return phase_; }
    /// Everybody has so long.
    void enter(Phase phase, Clock::time_point deadline);
    bool late() const { return Clock::now() >= deadline_; }
    Clock::time_point deadline() const { return deadline_; }

    /// The nodes that are asked for a link.
    void ask(const RoutesMessage& routes);
    void heard(const RoutedMessage& routed);
    bool all_linked() const { return waiting_.empty(); }
    /// Who could not be linked first.
    const std::optional<RoutedMessage>& failure() const { return failure_; }
    const std::vector<NodeIndex>& waiting() const { return waiting_; }
    /// So many nodes were up then.
    size_t asked() const { return asked_; }

  private:
    Phase phase_ = Phase::none;
    Clock::time_point deadline_ = Clock::time_point::max();
    std::vector<NodeIndex> waiting_;  ///< ascending
    size_t asked_ = 0;
    std::optional<RoutedMessage> failure_;
};

}  // namespace launch
