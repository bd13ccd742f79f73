// SPDX-License-Identifier: MIT
#include "modex/exchange/bulk_fetch.hpp"

#include <vector>

#include "modex/exchange/card_batch.hpp"

namespace launch {
namespace {

/// Bytes of keys and values in one message: other frames get through in between.
constexpr size_t piece_size = 1u << 20;
constexpr NodeIndex no_index = UINT32_MAX;

}  // namespace

template <class F>
void BulkFetch::for_each_neighbour(F f) {
    if (!state_.settings.root) f(no_index, state_.parent);
    for (auto& [index, child] : state_.children)
        f(index, child);
}

BulkFetch::Counts BulkFetch::count() {
    Counts counts;
    for_each_neighbour([&counts](NodeIndex, const Neighbour& n) {
        counts.wanting += n.wants;
        counts.lacking += !n.all;
    });
    return counts;
}

void BulkFetch::send(NodeIndex index, const Neighbour& n, const ExchangeMessage& message) {
    if (is_parent(n)) {
        state_.sink.to_parent(encode(message));
    } else {
        state_.sink.to_child(index, encode(message));
    }
}

void BulkFetch::want_everything() {
    wanted_ = true;
    advance();
}

void BulkFetch::wanted_by(Neighbour& neighbour) {
    neighbour.wants = true;
    advance();
}

void BulkFetch::ask(NodeIndex index, Neighbour& n) {
    n.asked = true;
    send(index, n, Want{});
}

/// A neighbour that is new here has told us nothing yet, but knows best what is on its own side.
bool BulkFetch::is_its_own(NodeIndex index, const Neighbour& n, uint32_t owner) const {
    if (!state_.settings.heals) return false;  // all that we have of it we had from it
    const auto child = state_.routes.child_of(owner);
    return is_parent(n) ? !child && !state_.is_local(owner) : child == index;
}

void BulkFetch::answer(NodeIndex index, Neighbour& n) {
    n.wants = false;
    std::vector<CardStore::Id> piece;
    size_t bytes = 0;
    // Cards that no fence has made visible yet reach them by their fence.
    state_.store.for_each_visible(state_.epoch, [&](CardStore::Id id, const Card& card) {
        if (n.has.contains(id) || is_its_own(index, n, card.owner)) return;
        piece.push_back(id);
        bytes += card.key.size() + card.value.size();
        if (bytes < piece_size) return;
        send(index, n, Cards{state_.epoch, false, state_.batch_for(n, piece)});
        piece.clear();
        bytes = 0;
    });
    send(index, n, Cards{state_.epoch, true, state_.batch_for(n, piece)});
}

bool BulkFetch::received(Neighbour& from, const Cards& message) {
    auto cards = decode_cards(message.cards, max_cards_bytes);
    if (!cards || !from.asked || message.epoch > state_.epoch) return false;
    if (message.epoch >= state_.valid_since) {
        for (Card& card : *cards)
            state_.learn(std::move(card), from);
    }
    if (message.last) {
        from.asked = false;
        // Written before a fence that has ended since: it may lack what that fence made visible.
        if (message.epoch == state_.epoch) from.all = true;
    }
    advance();
    return true;
}

/// A neighbour is asked for its side if somebody else waits for it, and answered when the sides of
/// all others are known.
void BulkFetch::advance() {
    const Counts counts = count();
    if (wanted_ || counts.wanting > 0) {
        for_each_neighbour([&](NodeIndex index, Neighbour& n) {
            if (n.all || n.asked) return;
            if (wanted_ || counts.wanting > size_t{n.wants}) ask(index, n);
        });
    }
    if (counts.wanting > 0 && counts.lacking <= 1) {
        for_each_neighbour([&](NodeIndex index, Neighbour& n) {
            if (n.wants && counts.lacking == size_t{!n.all}) answer(index, n);
        });
    }
    if (wanted_ && state_.everything_known()) wanted_ = false;
}

}  // namespace launch
