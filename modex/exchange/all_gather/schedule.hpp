#pragma once

#include <cstdint>
#include <memory>
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

/// An all-gather among n nodes, as node i sees it: n and i are of whoever made it. Every node gets
/// every contribution once, and sends only what it has by its receives of earlier steps.
class AllGatherSchedule {
  public:
    virtual ~AllGatherSchedule() = default;

    virtual uint32_t steps() const = 0;
    /// `index` < steps().
    virtual GatherStep step(uint32_t index) const = 0;
};

/// Node `self` of `nodes`. `way` is not the tree: that needs no peers.
std::unique_ptr<AllGatherSchedule> make_schedule(GatherWay way, uint32_t self, uint32_t nodes);

}  // namespace launch
