// SPDX-License-Identifier: MIT
#include "modex/exchange/card_store.hpp"

#include <utility>

namespace launch {

CardStore::Stored CardStore::put(Card card, bool own, uint64_t fence) {
    const auto known = ids_.find(card.key);
    if (known == ids_.end()) {
        const Id id = static_cast<Id>(entries_.size());
        entries_.push_back({std::move(card), own, true, fence});
        ids_.emplace(entries_.back().card.key, id);
        return {id, true, false};
    }
    Entry& entry = entries_[known->second];
    const bool fresh = !std::exchange(entry.known, true);
    const bool changed = !fresh && entry.card.value != card.value;
    entry.own = entry.own || own;
    entry.card.owner = card.owner;  // not the key: ids_ looks at it
    entry.card.value = std::move(card.value);
    return {known->second, fresh, changed};
}

const Card* CardStore::find(std::string_view key) const {
    const auto known = ids_.find(key);
    if (known == ids_.end() || !entries_[known->second].known) return nullptr;
    return &entries_[known->second].card;
}

void CardStore::forget_others() {
    for (Entry& entry : entries_) {
        if (entry.own) continue;
        entry.known = false;
        entry.card.value = std::string();
    }
}

}  // namespace launch
