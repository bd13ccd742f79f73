#include "modex/exchange/card_batch.hpp"

#include <algorithm>

#include "core/wire/codec.hpp"
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

void encode_value(Encoder& out, std::string_view before, std::string_view value) {
    const size_t prefix = common_prefix(before, value);
    const size_t suffix = common_suffix(before, value, prefix);
    out.number(prefix).number(suffix);
    out.text(value.substr(prefix, value.size() - prefix - suffix));
}

}  // namespace

std::string encode_cards(const std::vector<const Card*>& cards) {
    std::vector<Keyed> keyed;
    keyed.reserve(cards.size());
    for (const Card* card : cards)
        keyed.push_back({pattern_of(card->key, card->owner), card});
    std::sort(keyed.begin(), keyed.end());
    Encoder out;
    for (size_t begin = 0; begin < keyed.size();) {
        size_t end = begin;
        while (end < keyed.size() && keyed[end].pattern == keyed[begin].pattern)
            ++end;
        out.text(keyed[begin].pattern).number(end - begin);
        uint32_t owner = 0;
        std::string_view value;
        for (; begin < end; ++begin) {
            const Card& card = *keyed[begin].card;
            out.number(card.owner - owner);
            encode_value(out, value, card.value);
            owner = card.owner;
            value = card.value;
        }
    }
    return out.take();
}

std::optional<std::vector<Card>> decode_cards(std::string_view bytes, size_t max_bytes) {
    std::vector<Card> cards;
    Decoder in(bytes);
    while (in.ok() && !in.done()) {
        const std::string_view pattern = in.text();
        const uint32_t count = in.count();
        uint64_t owner = 0;
        std::string value;
        for (uint32_t i = 0; i < count && in.ok(); ++i) {
            owner += in.number();
            const uint64_t prefix = in.number();
            const uint64_t suffix = in.number();
            const std::string_view middle = in.text();
            if (!in.ok() || owner > UINT32_MAX || prefix > value.size() ||
                suffix > value.size() - prefix)
                return std::nullopt;
            std::string next = value.substr(0, prefix);
            next += middle;
            next += std::string_view(value).substr(value.size() - suffix);
            value = std::move(next);
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
