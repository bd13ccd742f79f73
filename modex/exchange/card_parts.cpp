// SPDX-License-Identifier: MIT
#include "modex/exchange/card_parts.hpp"

#include <numeric>

#include "modex/exchange/card_batch.hpp"

namespace launch {

std::vector<size_t> FenceCards::numbers() const {
    std::vector<size_t> numbers(cards.size());
    std::iota(numbers.begin(), numbers.end(), size_t{0});
    return numbers;
}

CardParts::Part CardParts::next() {
    Part part;
    size_t size = 0;
    for (; next_pattern_ < all_->patterns.size() && size < PieceBatch::limit; ++next_pattern_) {
        part.patterns.push_back(all_->patterns[next_pattern_]);
        size += part.patterns.back().text.size();
    }
    std::vector<const Card*> cards;
    std::vector<const Card*> changes;
    for (; next_card_ < wanted_.size() && size < PieceBatch::limit; ++next_card_) {
        const FenceCards::Item& item = all_->cards[wanted_[next_card_]];
        (item.change ? changes : cards).push_back(&item.card);
        size += item.card.key.size() + item.card.value.size();
    }
    part.cards = encode_cards(cards);
    part.changes = encode_cards(changes);
    part.last = next_pattern_ == all_->patterns.size() && next_card_ == wanted_.size();
    return part;
}

}  // namespace launch
