#include "modex/exchange/card_policy.hpp"

#include <algorithm>

namespace launch {
namespace {

/// Below this, cards cost less than the messages that carry them.
constexpr uint64_t cheap = 8u << 10;
/// One frame takes 64 MiB; what does not fit must be fetched in pieces.
constexpr uint64_t gather_limit = 48u << 20;

class Gather : public CardPolicy {
  public:
    bool carry_up(uint64_t bytes) const override { return bytes <= gather_limit; }
    bool broadcast(uint64_t bytes) const override { return bytes <= gather_limit; }
};

class OnDemand : public CardPolicy {
  public:
    bool carry_up(uint64_t bytes) const override { return bytes == 0; }
    bool broadcast(uint64_t bytes) const override { return bytes == 0; }
};

class BySize : public CardPolicy {
  public:
    bool carry_up(uint64_t bytes) const override { return bytes <= cheap; }
    bool broadcast(uint64_t bytes) const override { return bytes <= cheap; }
};

}  // namespace

std::unique_ptr<CardPolicy> make_card_policy(ModexChoice algorithm) {
    switch (algorithm) {
        case ModexChoice::gather: return std::make_unique<Gather>();
        case ModexChoice::on_demand: return std::make_unique<OnDemand>();
        case ModexChoice::automatic:
        case ModexChoice::ring:
        case ModexChoice::bruck:
        case ModexChoice::doubling: break;
    }
    return std::make_unique<BySize>();
}

uint32_t questions_before_fetch(uint32_t ranks) {
    return std::clamp(ranks / 16, 8U, 256U);
}

}  // namespace launch
