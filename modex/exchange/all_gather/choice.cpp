// SPDX-License-Identifier: MIT
#include "modex/exchange/all_gather/choice.hpp"

namespace launch {
namespace {

/// Below this the tree's way, up and down each link once, takes less time than making links to
/// peers, a few milliseconds each: a node with 32 children sends 128 MiB of it, 0.1 s at 1 GB/s.
constexpr uint64_t large = 4u << 20;
/// Average bytes of one node in a step; see choose_way().
constexpr uint64_t long_step = 512u << 10;

}  // namespace

bool worth_peers(ModexChoice asked, uint64_t bytes) {
    return names_peers(asked) || (asked != ModexChoice::gather && bytes > large);
}

uint64_t most_carried(ModexChoice asked, const Peers& peers) {
    return peers.usable() && names_peers(asked) ? 0 : PieceBatch::limit;
}

GatherWay choose_way(ModexChoice asked, bool hypercube, uint64_t bytes, uint32_t nodes) {
    if (!worth_peers(asked, bytes)) return GatherWay::tree;
    switch (asked) {
        case ModexChoice::ring: return GatherWay::ring;
        case ModexChoice::bruck: return GatherWay::bruck;
        case ModexChoice::doubling: return GatherWay::doubling;
        case ModexChoice::gather:
        case ModexChoice::automatic:
        case ModexChoice::on_demand: break;
    }
    if (hypercube) return GatherWay::doubling;
    return bytes / nodes >= long_step ? GatherWay::ring : GatherWay::bruck;
}

}  // namespace launch
