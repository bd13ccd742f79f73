// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "modex/exchange/gather_messages.hpp"

namespace launch {

/// The contributions of the nodes `first`, `first + 1`, ..., modulo the number of nodes; `count` of
/// them, to or from one peer.
struct Transfer {
    uint32_t peer = 0;
    uint32_t first = 0;
    uint32_t count = 0;

    bool operator==(const Transfer&) const = default;
};

/// A node sends and receives at the same time, each with one peer at most.
struct GatherStep {
    std::optional<Transfer> send;
    std::optional<Transfer> receive;
};

/// An all-gather among n nodes, as node `self` sees it. Every node gets every contribution once,
/// and sends only what it has by its receives of earlier steps.
///  - ring: each step passes to the next node what the step before brought from the previous one:
///  n - 1 steps, two links a node.
///  - bruck: the concatenation of Bruck, Ho, Kipnis, Upfal and Weathersby, "Efficient Algorithms
///  for All-to-All Communications in Multiport Message-Passing Systems" (IEEE TPDS 8(11), 1997),
///  with one port: in round k all that a node has, which doubles, goes 2^k nodes back along the
///  circle. ceil(log2 n) rounds, and as many links again, for any n.
///  - doubling: recursive doubling, by the links of a hypercube. Where n is no power of two,
///  n = 2^k + r, the first 2r nodes fold: of each two the even one gives to the odd one what it
///  has, and gets the rest after the k steps that the others make (Thakur, Rabenseifner and Gropp,
///  "Optimization of Collective Communication Operations in MPICH", IJHPCA 19(1), 2005, as they do
///  for reductions). k steps, or k + 2.
class AllGatherSchedule {
  public:
    /// `way` is not the tree: that needs no peers.
    AllGatherSchedule(GatherWay way, uint32_t self, uint32_t nodes)
        : way_(way), self_(self), nodes_(nodes) {}

    uint32_t steps() const;
    /// `index` < steps().
    GatherStep step(uint32_t index) const;

  private:
    GatherStep ring(uint32_t index) const;
    GatherStep bruck(uint32_t index) const;
    uint32_t after(uint32_t distance) const;
    uint32_t before(uint32_t distance) const { return after(nodes_ - distance); }

    GatherWay way_;
    uint32_t self_;
    uint32_t nodes_;
};

}  // namespace launch
