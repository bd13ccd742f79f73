// SPDX-License-Identifier: MIT
#include "modex/exchange/tree_gather.hpp"

#include <algorithm>
#include <utility>

namespace launch {

uint64_t most_bytes_of(const GatherOrder& order) {
    return max_cards_bytes + std::min(order.bytes, UINT64_MAX - max_cards_bytes);
}

TreeGather::TreeGather(ExchangeState& state, const GatherOrder& order, std::optional<uint32_t> of,
                       const std::string& own)
    : state_(state), order_(order), all_(std::make_shared<Contributions>()) {
    if (of && !own.empty()) all_->add(*of, own);
}

bool TreeGather::take(GatherPieces& message, std::optional<NodeIndex> from) {
    const uint64_t limit = most_bytes_of(order_);
    return std::all_of(message.pieces.begin(), message.pieces.end(), [&](Piece& piece) {
        return piece.of < state_.settings.ranks && all_->take(std::move(piece), from, limit);
    });
}

bool TreeGather::from_child(NodeIndex child, GatherPieces message) {
    // Again, from one that was below another: that has said it, or the end has.
    if (over_ || said_.contains(child)) return state_.settings.heals;
    if (!take(message, child)) return false;
    if (message.last) said_.insert(child);
    advance();
    return true;
}

bool TreeGather::from_parent(GatherPieces message) {
    if (over_) return state_.settings.heals;
    if (!take(message, std::nullopt)) return false;
    if (message.last) end();
    return true;
}

void TreeGather::advance() {
    if (over_ || said_up_ || !state_.all_children_in(said_)) return;
    if (state_.settings.root) {
        end();
    } else {
        said_up_ = true;
        say_up();
    }
}

void TreeGather::say_again() {
    if (said_up_ && !over_) say_up();
}

/// The last message has no pieces: that there are no more is known when none is left.
MessageSource TreeGather::messages(std::optional<NodeIndex> all_but) const {
    return [all = all_, sequence = order_.sequence, attempt = order_.attempt, all_but,
            position = Contributions::Position{}, ended = false]() mutable {
        if (ended) return std::optional<std::string>{};
        auto pieces = all->next_batch(all_but, position);
        ended = pieces.empty();
        return std::optional(encode(GatherPieces{sequence, attempt, ended, std::move(pieces)}));
    };
}

void TreeGather::say_up() const {
    const auto next = messages(std::nullopt);
    while (auto message = next())
        state_.sink.to_parent(*std::move(message));
}

void TreeGather::tell_again(NodeIndex child) const {
    if (over_) state_.sink.stream_to_child(child, messages(child));
}

void TreeGather::end() {
    over_ = true;
    for (const auto& [index, child] : state_.children)
        tell_again(index);
}

}  // namespace launch
