#include "core/head/route_setup.hpp"

#include <algorithm>

namespace launch {

void RouteSetup::enter(Phase phase, Clock::time_point deadline) {
    phase_ = phase;
    deadline_ = deadline;
}

void RouteSetup::ask(const RoutesMessage& routes) {
    for (const RouteStop& stop : routes.stops)
        if (stop.contact.node != 0) waiting_.push_back(stop.contact.node);
    asked_ = waiting_.size();
}

void RouteSetup::heard(const RoutedMessage& routed) {
    const auto at = std::lower_bound(waiting_.begin(), waiting_.end(), routed.node);
    if (at == waiting_.end() || *at != routed.node) return;
    waiting_.erase(at);
    if (!routed.cause.empty() && !failure_) failure_ = routed;
}

}  // namespace launch
