#include "modex/exchange/card_fence.hpp"

#include <algorithm>

#include "modex/exchange/card_batch.hpp"

namespace launch {
namespace {

uint64_t size_of(const Card& card) {
    return card.key.size() + card.value.size();
}

}  // namespace

CardFence::CardFence(ExchangeState& state, ModexChoice algorithm)
    : state_(state), gate_(state), policy_(make_card_policy(algorithm)) {}

void CardFence::put(Card card) {
    bytes_ += size_of(card);
    note_pattern(pattern_of(card.key, card.owner), card.owner);
    const auto stored = state_.store.put(std::move(card), true);
    if (stored.changed) {
        state_.changed(stored.id);
        changed_ = true;
    }
    fresh_.push_back(stored.id);
}

void CardFence::note_pattern(const std::string& pattern, uint32_t owner) {
    if (state_.patterns.contains(pattern)) return;
    if (pattern_texts_.insert(pattern).second) patterns_.push_back({pattern, owner});
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
    if (!cards || passed_up_ || message.sequence != state_.epoch + 1) return false;
    if (!gate_.join_child(child, message.absent, message.absent_rank)) return false;
    Neighbour& from = state_.children.at(child);
    for (Card& card : *cards)
        fresh_.push_back(state_.learn(std::move(card), from));
    for (const auto& pattern : message.patterns)
        note_pattern(pattern.text, pattern.owner);
    bytes_ += message.bytes;
    changed_ = changed_ || message.changed;
    if (!message.complete) incomplete_.push_back(child);
    advance();
    return true;
}

void CardFence::advance() {
    if (passed_up_ || !gate_.complete()) return;
    if (!state_.settings.root) {
        pass_up();
    } else if (gate_.absent() > 0 && state_.settings.absent_is_fatal) {
        passed_up_ = true;
        state_.sink.fence_broken(gate_.absent_rank(), gate_.absent());
    } else {
        FenceDown down;
        down.sequence = state_.epoch + 1;
        down.complete = incomplete_.empty() && policy_->broadcast(bytes_);
        down.forget = changed_ && !down.complete;
        open(std::move(down));
    }
}

void CardFence::pass_up() {
    passed_up_ = true;
    FenceUp up;
    up.sequence = state_.epoch + 1;
    up.absent = gate_.absent();
    up.absent_rank = up.absent > 0 ? gate_.absent_rank() : 0;
    up.changed = changed_;
    up.complete = incomplete_.empty() && policy_->carry_up(bytes_);
    up.bytes = bytes_;
    up.patterns = patterns_;
    if (up.complete) up.cards = state_.batch_for(state_.parent, fresh_);
    state_.sink.to_parent(encode(up));
}

bool CardFence::from_parent(FenceDown message) {
    auto cards = decode_cards(message.cards, max_cards_bytes);
    if (!cards || message.sequence != state_.epoch + 1) return false;
    if (message.forget) forget();
    for (Card& card : *cards)
        fresh_.push_back(state_.learn(std::move(card), state_.parent));
    open(std::move(message));
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
    message.patterns = patterns_;
    if (down.complete) message.cards = state_.batch_for(child, fresh_);
    state_.sink.to_child(index, encode(message));
}

void CardFence::learn_patterns(const std::vector<NewPattern>& patterns) {
    for (const auto& pattern : patterns)
        note_pattern(pattern.text, pattern.owner);
    for (const auto& pattern : patterns_)
        state_.patterns.add(pattern.text, pattern.owner);
}

/// The fence is over. Its effects first, then the news of it, so that whoever is told finds all.
void CardFence::open(FenceDown down) {
    if (state_.settings.root && down.forget) forget();
    learn_patterns(down.patterns);
    if (!down.complete) state_.parent.all = false;
    for (const NodeIndex child : incomplete_)
        state_.children.at(child).all = false;
    for (auto& [index, child] : state_.children)
        pass_down(index, child, down);
    ++state_.epoch;
    fresh_.clear();
    patterns_.clear();
    pattern_texts_.clear();
    incomplete_.clear();
    bytes_ = 0;
    changed_ = false;
    passed_up_ = false;
    gate_.reset();
    state_.sink.fence_done(Channel::cards, {});
}

}  // namespace launch
