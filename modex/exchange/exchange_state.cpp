// SPDX-License-Identifier: MIT
#include "modex/exchange/exchange_state.hpp"

#include <algorithm>

#include "modex/exchange/card_batch.hpp"

namespace launch {

void ExchangeSink::stream_to_child(NodeIndex child, MessageSource messages) {
    while (auto message = messages())
        to_child(child, *std::move(message));
}

RanksBelow ExchangeState::route(NodeIndex child, const NodeRuns& nodes) {
    routes.remove(child);
    RanksBelow below{.ranks = routes.add(child, nodes)};
    if (gone.empty()) return below;
    for (const auto& node : nodes)
        for_each_rank(node, [&](uint32_t rank) {
            if (is_gone(rank)) below.lose(rank);
        });
    return below;
}

bool ExchangeState::is_local(uint32_t rank) const {
    return std::binary_search(settings.local.begin(), settings.local.end(), rank);
}

bool ExchangeState::note_gone(uint32_t rank) {
    if (rank >= settings.ranks || is_gone(rank)) return false;
    if (gone.empty()) gone.resize(settings.ranks);
    gone[rank] = true;
    return true;
}

bool ExchangeState::everything_known() const {
    if (!settings.root && !parent.all) return false;
    return std::all_of(children.begin(), children.end(),
                       [](const auto& child) { return child.second.all; });
}

CardStore::Id ExchangeState::learn(Card card, Neighbour& from, uint64_t fence) {
    const auto stored = store.put(std::move(card), false, fence);
    if (stored.changed) changed(stored.id);
    from.has.insert(stored.id);
    return stored.id;
}

bool ExchangeState::changed(CardStore::Id id) {
    bool known = parent.has.erase(id);
    for (auto& [index, child] : children)
        known = child.has.erase(id) || known;
    return known;
}

std::string ExchangeState::batch_for(Neighbour& peer, const std::vector<CardStore::Id>& ids) {
    std::vector<const Card*> cards;
    for (const auto id : ids) {
        peer.has.insert(id);
        cards.push_back(&store.card(id));
    }
    return encode_cards(cards);
}

}  // namespace launch
