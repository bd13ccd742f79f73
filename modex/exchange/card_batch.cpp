// SPDX-License-Identifier: MIT
#include "modex/exchange/card_batch.hpp"

#include <algorithm>

#include "core/base/codec.hpp"
#include "modex/exchange/key_pattern.hpp"

namespace launch {
namespace {

struct Keyed {
    std::string pattern;
    const Card* card;

    bool operator<(const Keyed& other) const {
        if (pattern != other.pattern) return pattern < other.pattern;
        return card->owner < other.card->owner;
    }
};

size_t common_prefix(std::string_view a, std::string_view b) {
    const size_t limit = std::min(a.size(), b.size());
    return static_cast<size_t>(
        std::mismatch(a.begin(), a.begin() + static_cast<long>(limit), b.begin()).first -
        a.begin());
}

size_t common_suffix(std::string_view a, std::string_view b, size_t prefix) {
    const size_t limit = std::min(a.size(), b.size()) - prefix;
    size_t n = 0;
    while (n < limit && a[a.size() - 1 - n] == b[b.size() - 1 - n])
        ++n;
    return n;
}

/// Encodes the part of `text` that differs from the text before it.
void encode_text(Encoder& out, std::string_view before, std::string_view text) {
    const size_t prefix = common_prefix(before, text);
    const size_t suffix = common_suffix(before, text, prefix);
    out.number(prefix).number(suffix);
    out.text(text.substr(prefix, text.size() - prefix - suffix));
}

/// `text`: the one before, and then the one read.
void decode_text(Decoder& in, std::string& text) {
    const uint64_t prefix = in.number();
    const uint64_t suffix = in.number();
    const std::string_view middle = in.text();
    if (prefix > text.size() || suffix > text.size() - prefix) in.fail();
    if (!in.ok()) return;
    text.replace(prefix, text.size() - prefix - suffix, middle);
}

}  // namespace

std::string encode_cards(const std::vector<const Card*>& cards) {
    std::vector<Keyed> keyed;
    keyed.reserve(cards.size());
    for (const Card* card : cards)
        keyed.push_back({pattern_of(card->key, card->owner), card});
    std::sort(keyed.begin(), keyed.end());
    Encoder out;
    std::string_view pattern;
    std::string_view value;
    for (size_t begin = 0; begin < keyed.size();) {
        size_t end = begin;
        while (end < keyed.size() && keyed[end].pattern == keyed[begin].pattern)
            ++end;
        encode_text(out, pattern, keyed[begin].pattern);
        out.number(end - begin);
        pattern = keyed[begin].pattern;
        uint32_t owner = 0;
        for (; begin < end; ++begin) {
            const Card& card = *keyed[begin].card;
            out.number(card.owner - owner);
            encode_text(out, value, card.value);
            owner = card.owner;
            value = card.value;
        }
    }
    return out.take();
}

std::optional<std::vector<Card>> decode_cards(std::string_view bytes, size_t max_bytes) {
    std::vector<Card> cards;
    Decoder in(bytes);
    std::string pattern;
    std::string value;
    while (in.ok() && !in.done()) {
        decode_text(in, pattern);
        const uint32_t count = in.count();
        uint64_t owner = 0;
        for (uint32_t i = 0; i < count && in.ok(); ++i) {
            owner += in.number32();
            decode_text(in, value);
            if (!in.ok() || owner > UINT32_MAX) return std::nullopt;
            const size_t cost = value.size() + pattern.size() + sizeof(Card);
            if (cost > max_bytes) return std::nullopt;
            max_bytes -= cost;
            const auto rank = static_cast<uint32_t>(owner);
            cards.push_back({rank, key_of(pattern, rank), value});
        }
    }
    if (!in.ok()) return std::nullopt;
    return cards;
}

}  // namespace launch
