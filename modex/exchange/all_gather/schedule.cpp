// SPDX-License-Identifier: MIT
#include "modex/exchange/all_gather/schedule.hpp"

#include <algorithm>
#include <bit>

namespace launch {
namespace {

/// The nodes that double get new numbers, `corner` 0 to 2^k - 1 of the hypercube: first the odd
/// node of each pair that folds, then the others. Adjacent corners have adjacent contributions.
class Doubling {
  public:
    Doubling(uint32_t self, uint32_t nodes)
        : self_(self),
          nodes_(nodes),
          corners_(std::bit_floor(nodes)),
          folded_(nodes - corners_),
          dimensions_(static_cast<uint32_t>(std::countr_zero(corners_))) {}

    uint32_t steps() const { return dimensions_ + (folded_ > 0 ? 2 : 0); }
    GatherStep step(uint32_t index) const {
        if (folded_ == 0) return exchange(index);
        if (index == 0) return fold();
        if (index == dimensions_ + 1) return unfold();
        return gives() ? GatherStep{} : exchange(index - 1);
    }

  private:
    bool folds() const { return self_ < uint64_t{2} * folded_; }
    bool gives() const { return folds() && self_ % 2 == 0; }
    uint32_t node_at(uint32_t corner) const {
        return corner < folded_ ? 2 * corner + 1 : corner + folded_;
    }
    /// The first contribution that `corner` starts with; of the one past the last, n.
    uint32_t first_of(uint32_t corner) const {
        return corner < folded_ ? 2 * corner : corner + folded_;
    }
    GatherStep fold() const {
        if (!folds()) return {};
        if (gives()) return {Transfer{self_ + 1, self_, 1}, std::nullopt};
        return {std::nullopt, Transfer{self_ - 1, self_ - 1, 1}};
    }
    GatherStep unfold() const {
        if (!folds()) return {};
        if (gives()) return {std::nullopt, Transfer{self_ + 1, self_ + 1, nodes_ - 1}};
        return {Transfer{self_ - 1, self_, nodes_ - 1}, std::nullopt};
    }
    GatherStep exchange(uint32_t dimension) const {
        const uint32_t corner = folds() ? self_ / 2 : self_ - folded_;
        const uint32_t side = uint32_t{1} << dimension;
        const uint32_t peer = node_at(corner ^ side);
        return {block(peer, corner, side), block(peer, corner ^ side, side)};
    }
    /// The contributions of all corners in `corner`'s part of the hypercube.
    Transfer block(uint32_t peer, uint32_t corner, uint32_t side) const {
        const uint32_t begin = corner & ~(side - 1);
        return {peer, first_of(begin), first_of(begin + side) - first_of(begin)};
    }

    uint32_t self_;
    uint32_t nodes_;
    uint32_t corners_;
    uint32_t folded_;
    uint32_t dimensions_;
};

}  // namespace

uint32_t AllGatherSchedule::steps() const {
    if (way_ == GatherWay::bruck) return static_cast<uint32_t>(std::bit_width(nodes_ - 1));
    if (way_ == GatherWay::doubling) return Doubling(self_, nodes_).steps();
    return nodes_ - 1;
}

GatherStep AllGatherSchedule::step(uint32_t index) const {
    if (way_ == GatherWay::bruck) return bruck(index);
    if (way_ == GatherWay::doubling) return Doubling(self_, nodes_).step(index);
    return ring(index);
}

uint32_t AllGatherSchedule::after(uint32_t distance) const {
    return static_cast<uint32_t>((uint64_t{self_} + distance) % nodes_);
}

GatherStep AllGatherSchedule::ring(uint32_t index) const {
    return {Transfer{after(1), before(index), 1}, Transfer{before(1), before(index + 1), 1}};
}

GatherStep AllGatherSchedule::bruck(uint32_t index) const {
    const uint32_t distance = uint32_t{1} << index;  // and how many it has
    const uint32_t count = std::min(distance, nodes_ - distance);
    const uint32_t from = after(distance);
    return {Transfer{before(distance), self_, count}, Transfer{from, from, count}};
}

}  // namespace launch
