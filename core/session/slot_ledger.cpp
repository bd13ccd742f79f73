#include "core/session/slot_ledger.hpp"

#include <algorithm>

namespace launch {

bool SlotLedger::knows(const Parts& parts) const {
    return std::all_of(parts.begin(), parts.end(), [this](const auto& part) {
        return part.node > 0 && part.node <= hosts_.size();
    });
}

bool SlotLedger::has_room(const Parts& parts) const {
    return knows(parts) && std::all_of(parts.begin(), parts.end(), [this](const auto& part) {
               const uint32_t used = used_[part.node - 1];
               return used == 0 || uint64_t{used} + part.ranks <= hosts_[part.node - 1].slots;
           });
}

void SlotLedger::count(const Parts& parts, int sign) {
    for (const auto& part : parts) {
        uint32_t& used = used_[part.node - 1];
        used = sign > 0 ? used + part.ranks : used - part.ranks;
    }
}

}  // namespace launch
