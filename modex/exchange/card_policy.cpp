#include "modex/exchange/card_policy.hpp"

#include <algorithm>

namespace launch {
namespace {

/// Below this, cards cost less than the messages that carry them.
constexpr uint64_t cheap = 8u << 10;
/// One frame takes 64 MiB; what does not fit must be fetched in pieces.
constexpr uint64_t gather_limit = 48u << 20;

}  // namespace

uint64_t most_cards_carried(ModexChoice asked) {
    if (asked == ModexChoice::gather) return gather_limit;
    return asked == ModexChoice::on_demand ? 0 : cheap;
}

uint32_t questions_before_fetch(uint32_t ranks) {
    return std::clamp(ranks / 16, 8U, 256U);
}

}  // namespace launch
