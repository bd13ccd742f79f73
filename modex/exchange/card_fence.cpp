#include "modex/exchange/card_fence.hpp"

#include <algorithm>
#include <utility>

#include "modex/exchange/card_batch.hpp"

namespace launch {
namespace {

uint64_t size_of(const Card& card) {
    return card.key.size() + card.value.size();
}

}  // namespace

CardFence::CardFence(ExchangeState& state, ModexChoice algorithm)
    : state_(state), gate_(state), most_carried_(most_cards_carried(algorithm)) {}

void CardFence::News::add(Item item) {
    if (listed.contains(item.id)) return;
    listed.insert(item.id);
    cards.push_back(item);
}

void CardFence::put(Card card) {
    News& news = gate_.closed() ? late_ : news_;
    const uint64_t fence = state_.epoch + (gate_.closed() ? 2 : 1);
    const uint64_t bytes = size_of(card);
    const uint32_t owner = card.owner;
    const std::string pattern = pattern_of(card.key, owner);
    const auto stored = state_.store.put(std::move(card), true, fence);
    if (!stored.fresh && !stored.changed) return;
    // A value that nobody has fetched is nowhere out of date. Where neighbours may be lost it is
    // not known for certain that nobody has.
    const bool fetched = stored.changed && state_.changed(stored.id);
    if (fetched || (stored.changed && state_.settings.heals)) news.changed = true;
    note_pattern(news, pattern, owner);
    news.bytes += bytes;
    news.add({stored.id, std::nullopt, stored.changed});
}

void CardFence::note_pattern(News& news, const std::string& pattern, uint32_t owner) const {
    if (state_.patterns.contains(pattern, owner)) return;
    if (!news.pattern_texts.insert(pattern).second) return;
    news.patterns.push_back({pattern, owner});
    news.pattern_bytes += pattern.size();
}

bool CardFence::join(uint32_t rank) {
    if (!gate_.join(rank)) return false;
    advance();
    return true;
}

void CardFence::exited(uint32_t rank) {
    gate_.exited(rank);
    advance();
}

bool CardFence::from_child(NodeIndex child, FenceUp message) {
    auto cards = decode_cards(message.cards, max_cards_bytes);
    auto changes = decode_cards(message.changes, max_cards_bytes);
    if (!cards || !changes) return false;
    const auto entry = gate_.admit(child, message, state_.epoch);
    if (entry != FenceGate::Entry::joined) return entry == FenceGate::Entry::known;
    take(std::move(*cards), child, false);
    take(std::move(*changes), child, true);
    for (const auto& pattern : message.patterns)
        note_pattern(news_, pattern.text, pattern.owner);
    news_.bytes += message.bytes;
    news_.changed = news_.changed || message.changed;
    if (!message.complete) incomplete_.push_back(child);
    advance();
    return true;
}

void CardFence::advance() {
    const auto end = gate_.advance();
    if (end == FenceGate::End::up) pass_up();
    if (end != FenceGate::End::open) return;
    FenceDown down;
    down.sequence = state_.epoch + 1;
    down.complete = incomplete_.empty() && news_.whole() <= most_carried_;
    down.forget = news_.changed && !down.complete;
    if (down.forget) forget();
    open(down);
}

void CardFence::take(std::vector<Card> cards, NodeIndex child, bool change) {
    Neighbour& from = state_.children.at(child);
    const uint64_t fence = change ? 0 : state_.epoch + 1;
    for (Card& card : cards)
        news_.add({state_.learn(std::move(card), from, fence), child, change});
}

template <class F>
std::string CardFence::batch_for(Neighbour& peer, F f) {
    std::vector<CardStore::Id> ids;
    for (const auto& item : news_.cards) {
        if (f(item)) ids.push_back(item.id);
    }
    return state_.batch_for(peer, ids);
}

void CardFence::pass_up() {
    FenceUp up = gate_.message(Channel::cards, state_.epoch + 1);
    up.changed = news_.changed;
    up.complete = incomplete_.empty() && news_.whole() <= most_carried_;
    up.bytes = news_.bytes;
    up.patterns = news_.patterns;
    if (up.complete) {
        up.cards = batch_for(state_.parent, [](const auto& item) { return !item.change; });
        up.changes = batch_for(state_.parent, [](const auto& item) { return item.change; });
    }
    state_.sink.to_parent(encode(up));
}

bool CardFence::from_parent(FenceDown message) {
    auto cards = decode_cards(message.cards, max_cards_bytes);
    if (!cards || !gate_.follows(message.sequence, state_.epoch)) return false;
    if (message.sequence <= state_.epoch) return true;
    state_.epoch = message.sequence - 1;
    if (message.forget) forget();
    for (Card& card : *cards)
        news_.add({state_.learn(std::move(card), state_.parent), std::nullopt});
    open(message);
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

void CardFence::pass_down(NodeIndex index, Neighbour& child, const FenceDown& down) {
    FenceDown message;
    message.sequence = down.sequence;
    message.forget = down.forget;
    message.complete = down.complete;
    message.patterns = news_.patterns;
    if (down.complete) {
        message.cards = batch_for(child, [&](const auto& item) { return item.from != index; });
    }
    state_.sink.to_child(index, encode(message));
}

void CardFence::split_child(NodeIndex whole, NodeIndex part) {
    gate_.split_child(whole, part);
    const bool kept = std::find(incomplete_.begin(), incomplete_.end(), whole) != incomplete_.end();
    if (kept) incomplete_.push_back(part);
    if (state_.epoch > 0) tell_again(part);
}

void CardFence::new_parent() {
    if (gate_.closed()) pass_up();
}

/// The end of the last fence, for a subtree that may have missed it. One that has not will not look
/// at the cards: it is not said to have them.
void CardFence::tell_again(NodeIndex index) {
    std::vector<const Card*> cards;
    if (last_.down.complete) {
        for (const CardStore::Id id : last_.cards)
            cards.push_back(&state_.store.card(id));
    }
    FenceDown message = last_.down;
    message.cards = encode_cards(cards);
    state_.sink.to_child(index, encode(message));
}

void CardFence::learn_patterns(const std::vector<NewPattern>& patterns) {
    for (const auto& pattern : patterns)
        note_pattern(news_, pattern.text, pattern.owner);
    for (const auto& pattern : news_.patterns)
        state_.patterns.add(pattern.text, pattern.owner);
}

/// The fence is over. Its effects first, then the news of it, so that whoever is told finds all.
void CardFence::open(const FenceDown& down) {
    learn_patterns(down.patterns);
    if (!down.complete) state_.parent.all = false;
    for (auto& [index, child] : state_.children)
        if (std::count(incomplete_.begin(), incomplete_.end(), index) > 0) child.all = false;
    if (state_.settings.heals) {
        last_ = {down, {}};
        last_.down.patterns = news_.patterns;
        last_.down.cards.clear();
        for (const auto& item : news_.cards)
            last_.cards.push_back(item.id);
    }
    for (auto& [index, child] : state_.children)
        pass_down(index, child, down);
    ++state_.epoch;
    news_ = std::exchange(late_, {});
    incomplete_.clear();
    gate_.reset();
    state_.sink.fence_done(Channel::cards, {});
}

}  // namespace launch
