#include "modex/exchange/tree_gather.hpp"

#include <algorithm>
#include <utility>

namespace launch {

uint64_t most_bytes_of(const GatherOrder& order) {
    return max_cards_bytes + std::min(order.bytes, UINT64_MAX - max_cards_bytes);
}

TreeGather::TreeGather(ExchangeState& state, const GatherOrder& order, std::optional<uint32_t> of,
                       const std::string& own)
    : state_(state), order_(order) {
    if (of && !own.empty()) all_.add(*of, own);
}

bool TreeGather::take(GatherPieces& message, std::optional<NodeIndex> from) {
    const uint64_t limit = most_bytes_of(order_);
    return std::all_of(message.pieces.begin(), message.pieces.end(), [&](Piece& piece) {
        return piece.of < state_.settings.ranks && all_.take(std::move(piece), from, limit);
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

bool TreeGather::all_have_said() const {
    return std::all_of(state_.children.begin(), state_.children.end(),
                       [this](const auto& child) { return said_.contains(child.first); });
}

void TreeGather::advance() {
    if (over_ || said_up_ || !all_have_said()) return;
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

/// The last message is one of its own: whether others are full is not known before.
template <class F>
void TreeGather::say(std::optional<NodeIndex> all_but, F f) const {
    all_.in_batches(all_but, [&](std::vector<Piece> pieces) {
        f(encode(GatherPieces{order_.sequence, order_.attempt, false, std::move(pieces)}));
    });
    f(encode(GatherPieces{order_.sequence, order_.attempt, true, {}}));
}

void TreeGather::say_up() const {
    say(std::nullopt, [this](std::string message) { state_.sink.to_parent(std::move(message)); });
}

void TreeGather::tell_again(NodeIndex child) const {
    if (!over_) return;
    say(child, [&](std::string message) { state_.sink.to_child(child, std::move(message)); });
}

void TreeGather::end() {
    over_ = true;
    for (const auto& [index, child] : state_.children)
        tell_again(index);
}

}  // namespace launch
