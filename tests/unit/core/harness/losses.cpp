// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/losses.hpp"

#include <algorithm>

namespace launch {

void Losses::strike() {
    if (world_.ends()) allow_all();
    for (const NodeIndex node : world_.head().hosts().unknown())
        allow(node);
}

void Losses::strike(NodeIndex node) {
    strike();
    allow(node);
}

void Losses::joined() {
    const auto& hosts = world_.head().hosts();
    const auto is_missed = [&hosts](NodeIndex node) { return hosts.is_up(node); };
    if (std::any_of(allowed_.begin(), allowed_.end(), is_missed)) strike();
}

std::string Losses::wrong() const {
    std::string lost;
    for (NodeIndex node = 1; node <= world_.head().hosts().count() && !all_; ++node)
        if (world_.job().is_lost(node) && !allowed_.contains(node))
            lost += " " + std::to_string(node);
    return lost.empty() ? lost : "lost without a reason:" + lost;
}

}  // namespace launch
