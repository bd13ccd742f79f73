// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace launch {

/// How much the nodes of a tree keep, and how much may be on the way between them, before a sender
/// has to wait or a receiver acknowledges. In a simulation it may be little: then what is rare
/// happens often.
struct Bounds {
    /// Bytes of output on the way to a node from all its children, when the reader is slow.
    uint64_t from_children = 2u << 20;
    /// Bytes of output that the head has not confirmed to a node: more waits.
    uint64_t to_head = 512u << 10;
    /// Bytes of a job's output that wait at a session for its client, plus one piece per node.
    uint64_t to_client = 32u << 20;
    /// Bytes of one of many senders: few enough for many of them, ...
    uint64_t smallest_window = 32u << 10;
    /// ... and of one of few: enough for a link that is not to idle.
    uint64_t largest_window = 512u << 10;
    /// Broadcasts that a node keeps although all below have heard them: a job that comes to a node
    /// after the orders for it finds them there.
    size_t broadcasts = 256;
    /// The number of broadcasts after which the parent gets an acknowledgement; nodes above keep
    /// them until then.
    uint64_t unheard_broadcasts = 64;

    /// The part of a budget that each of so many senders has, in bytes.
    uint64_t window_of(uint64_t budget, size_t senders) const {
        return std::clamp(budget / std::max<size_t>(senders, 1), smallest_window, largest_window);
    }
};

}  // namespace launch
