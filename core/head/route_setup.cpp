// SPDX-License-Identifier: MIT
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
}

void RouteSetup::heard(const RoutedMessage& routed) {
    const auto at = std::lower_bound(waiting_.begin(), waiting_.end(), routed.node);
    if (at == waiting_.end() || *at != routed.node) return;
    waiting_.erase(at);
    if (routed.cause.empty()) return;
    const auto same = std::find_if(detours_.begin(), detours_.end(), [&](const Detour& detour) {
        return detour.wanted == routed.wanted && detour.parent == routed.parent &&
               detour.cause == routed.cause;
    });
    if (same == detours_.end())
        detours_.push_back({routed.wanted, routed.parent, routed.cause, {routed.node}});
    else
        same->nodes.push_back(routed.node);
}

void RouteSetup::lost(NodeIndex node) {
    const auto at = std::lower_bound(waiting_.begin(), waiting_.end(), node);
    if (at != waiting_.end() && *at == node) waiting_.erase(at);
}

}  // namespace launch
