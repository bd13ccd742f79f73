// SPDX-License-Identifier: MIT
#include "core/session/slot_ledger.hpp"

#include <algorithm>

namespace launch {

void SlotLedger::remove(NodeIndex node) {
    const auto at = slots_.find(node);
    if (at == slots_.end()) return;
    at->second.is_there = false;
    if (at->second.used == 0) slots_.erase(at);
}

bool SlotLedger::knows(const Parts& parts) const {
    return std::all_of(parts.begin(), parts.end(), [this](const auto& part) {
        const auto at = slots_.find(part.node);
        return at != slots_.end() && at->second.is_there;
    });
}

bool SlotLedger::has_room(const Parts& parts) const {
    return knows(parts) && std::all_of(parts.begin(), parts.end(), [this](const auto& part) {
               const Slots& slots = slots_.at(part.node);
               return slots.used == 0 || uint64_t{slots.used} + part.ranks <= slots.all;
           });
}

uint32_t SlotLedger::used(NodeIndex node) const {
    const auto at = slots_.find(node);
    return at == slots_.end() ? 0 : at->second.used;
}

bool SlotLedger::has_free(NodeIndex node) const {
    const auto at = slots_.find(node);
    return at != slots_.end() && at->second.is_there && at->second.used < at->second.all;
}

void SlotLedger::count(const Parts& parts, int sign) {
    for (const auto& part : parts) {
        const auto at = slots_.find(part.node);
        if (at == slots_.end()) continue;
        Slots& slots = at->second;
        slots.used = sign > 0 ? slots.used + part.ranks : slots.used - part.ranks;
        if (slots.used == 0 && !slots.is_there) slots_.erase(at);
    }
}

}  // namespace launch
