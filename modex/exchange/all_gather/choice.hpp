// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/job/modex_choice.hpp"
#include "modex/exchange/gather_messages.hpp"

namespace launch {

/// This node's view of the links between any two nodes.
struct Peers {
    uint32_t self = 0;
    uint32_t nodes = 0;  ///< 0: they are not open
    bool lost = false;   ///< some node or link is: never again can all nodes take part

    bool open() const { return nodes > 0; }
    bool usable() const { return open() && !lost; }
};

/// Whether contributions of so many bytes in all are worth making links between peers.
bool worth_peers(ModexChoice asked, uint64_t bytes);

/// Contributions, in bytes, that go along with a fence: up with it those of a subtree, down with
/// its end those of all. More are withheld, and the root says how they are to go, in pieces.
uint64_t most_carried(ModexChoice asked, const Peers& peers);

/// The algorithm for contributions that have not all come along, where all peers are open. As the
/// user has asked, or along the tree what is not worth peers, or by cost, with a for the time that
/// a message takes and b for that of a byte: every node receives all bytes B in any case. A ring
/// takes (n - 1) a + B b, by two links a node between hosts that are next to each other in the
/// list, so often in the racks. Bruck takes log2(n) a + B b, but by as many links, most of them
/// far: what crosses the middle of the network in its last round is half of all that is received,
/// and its round k waits for the whole of round k - 1. So the ring is better where its steps'
/// messages are long enough that a hardly counts: B / n of 512 KiB takes 0.5 ms at 1 GB/s, several
/// times the 0.1 ms of a message.
GatherWay choose_way(ModexChoice asked, bool hypercube, uint64_t bytes, uint32_t nodes);

}  // namespace launch
