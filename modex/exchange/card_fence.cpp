// SPDX-License-Identifier: MIT
#include "modex/exchange/card_fence.hpp"

#include <utility>

#include "modex/exchange/card_batch.hpp"

namespace launch {
namespace {

/// Below this, cards cost less than the messages that carry them.
constexpr uint64_t cheap = 8u << 10;

/// How many bytes of cards that are new go along: up those of a subtree, down those of the job.
uint64_t most_cards_carried(ModexChoice asked) {
    if (asked == ModexChoice::gather) return UINT64_MAX;
    return asked == ModexChoice::on_demand ? 0 : cheap;
}

uint64_t size_of(const Card& card) {
    return card.key.size() + card.value.size();
}

}  // namespace

CardFence::CardFence(ExchangeState& state, ModexChoice algorithm)
    : TreeFence(state, state.epoch, {}), most_carried_(most_cards_carried(algorithm)) {}

void CardFence::Additions::add(Item item) {
    if (listed.contains(item.id)) return;
    listed.insert(item.id);
    cards.push_back(item);
}

void CardFence::put(Card card) {
    const bool late = gate().closed();
    Additions& additions = late ? late_additions_ : additions_;
    const uint64_t bytes = size_of(card);
    const uint32_t owner = card.owner;
    const std::string pattern = pattern_of(card.key, owner);
    const auto stored = state_.store.put(std::move(card), true, state_.epoch + (late ? 2 : 1));
    if (!stored.fresh && !stored.changed) return;
    // A value that no rank has fetched is cached nowhere, so no copy is out of date. Where
    // neighbours may be lost, this node cannot be certain that no rank has fetched it.
    const bool fetched = stored.changed && state_.changed(stored.id);
    if (fetched || (stored.changed && state_.settings.heals)) additions.changed = true;
    note_pattern(additions, pattern, owner);
    additions.bytes += bytes;
    additions.add({stored.id, std::nullopt, stored.changed});
}

void CardFence::note_pattern(Additions& additions, const std::string& pattern,
                             uint32_t owner) const {
    if (state_.patterns.contains(pattern, owner)) return;
    if (!additions.pattern_texts.insert(pattern).second) return;
    additions.patterns.push_back({pattern, owner});
    additions.pattern_bytes += pattern.size();
}

void CardFence::split_child(NodeIndex whole, NodeIndex part) {
    if (incomplete_.contains(whole)) incomplete_.insert(part);
    TreeFence::split_child(whole, part);
}

bool CardFence::take(NodeIndex child, LoadUp load) {
    const auto& up = std::get<CardsUp>(load);
    auto cards = decode_cards(up.cards, max_cards_bytes);
    auto changes = decode_cards(up.changes, max_cards_bytes);
    if (!cards || !changes) return false;
    add(*std::move(cards), child, false);
    add(*std::move(changes), child, true);
    for (const auto& pattern : up.patterns)
        note_pattern(additions_, pattern.text, pattern.owner);
    additions_.bytes += up.bytes;
    additions_.changed = additions_.changed || up.changed;
    if (!up.complete) incomplete_.insert(child);
    return true;
}

void CardFence::add(std::vector<Card> cards, NodeIndex child, bool change) {
    Neighbour& from = state_.children.at(child);
    const uint64_t fence = change ? 0 : state_.epoch + 1;
    for (Card& card : cards)
        additions_.add({state_.learn(std::move(card), from, fence), child, change});
}

FenceCards CardFence::all_new(bool with_cards) const {
    FenceCards all{additions_.patterns, {}};
    if (!with_cards) return all;
    all.cards.reserve(additions_.cards.size());
    for (const auto& item : additions_.cards)
        all.cards.push_back({state_.store.card(item.id), item.change});
    return all;
}

std::vector<LoadUp> CardFence::loads_up() {
    const bool with_cards = complete();
    const auto all = std::make_shared<const FenceCards>(all_new(with_cards));
    if (with_cards)
        for (const auto& item : additions_.cards)
            state_.parent.has.insert(item.id);
    CardParts parts(all, all->numbers());
    std::vector<LoadUp> loads;
    for (bool last = false; !last;) {
        auto part = parts.next();
        last = part.last;
        CardsUp up{false,
                   with_cards,
                   0,
                   std::move(part.patterns),
                   std::move(part.cards),
                   std::move(part.changes)};
        if (last) up.changed = additions_.changed;
        if (last) up.bytes = additions_.bytes;
        loads.emplace_back(std::move(up));
    }
    return loads;
}

bool CardFence::may_end() {
    end_ = {additions_.changed && !complete(), complete(), {}, {}};
    if (end_.forget) forget();
    return true;
}

bool CardFence::take(uint64_t, LoadDown load) {
    auto& down = std::get<CardsDown>(load);
    auto cards = decode_cards(down.cards, max_cards_bytes);
    if (!cards) return false;
    if (down.forget) forget();
    for (Card& card : *cards)
        additions_.add({state_.learn(std::move(card), state_.parent), std::nullopt});
    for (const auto& pattern : down.patterns)
        note_pattern(additions_, pattern.text, pattern.owner);
    end_ = {down.forget, down.complete, {}, {}};
    return true;
}

void CardFence::forget() {
    state_.store.forget_others();
    state_.valid_since = state_.epoch + 1;
    state_.parent.has.clear();
    state_.parent.all = false;
    for (auto& [index, child] : state_.children) {
        child.has.clear();
        child.all = false;
    }
}

void CardFence::open(uint64_t) {
    for (const auto& pattern : additions_.patterns)
        state_.patterns.add(pattern.text, pattern.owner);
    if (!end_.complete) state_.parent.all = false;
    for (auto& [index, child] : state_.children)
        child.all = child.all && !incomplete_.contains(index);
    auto all = all_new(end_.complete);
    for (auto& item : all.cards)
        item.change = false;  // changes are reported only upwards
    end_cards_ = std::make_shared<const FenceCards>(std::move(all));
}

TreeFence::LoadsDown CardFence::loads_of_end(std::vector<size_t> wanted) const {
    return [end = end_, parts = CardParts(end_cards_, std::move(wanted))]() mutable {
        auto part = parts.next();
        CardsDown down = end;
        down.patterns = std::move(part.patterns);
        down.cards = std::move(part.cards);
        return std::pair<LoadDown, bool>(std::move(down), part.last);
    };
}

TreeFence::LoadsDown CardFence::loads_down(NodeIndex child) {
    std::vector<size_t> wanted;
    Neighbour& neighbour = state_.children.at(child);
    for (size_t i = 0; i < end_cards_->cards.size(); ++i) {
        const auto& item = additions_.cards[i];
        if (item.from == child) continue;
        neighbour.has.insert(item.id);
        wanted.push_back(i);
    }
    return loads_of_end(std::move(wanted));
}

void CardFence::done() {
    additions_ = std::exchange(late_additions_, {});
    incomplete_.clear();
    if (!state_.settings.heals)
        end_cards_ = std::make_shared<FenceCards>(FenceCards{end_cards_->patterns, {}});
    state_.sink.fence_done(Channel::cards, {});
}

/// One that has not missed it will not look at the cards: it is not said to have them.
void CardFence::tell_again(NodeIndex child) {
    tell_end(child, loads_of_end(end_cards_->numbers()));
}

}  // namespace launch
