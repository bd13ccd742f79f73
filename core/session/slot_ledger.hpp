// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/wire/session_messages.hpp"

namespace launch {

/// Counts the slots of each node of a session, and how many of them jobs use. Sans I/O.
class SlotLedger {
  public:
    using Parts = std::vector<ReserveRequest::Part>;

    /// A host is part of the session as that node.
    void add(NodeIndex node, uint32_t slots) { slots_[node] = {slots, 0, true}; }
    /// Removes a node that has left, or has become another one. Jobs can still give back its slots.
    void remove(NodeIndex node);

    /// Whether the parts name nodes of the session, and no host gets more ranks than it has free
    /// slots. A host that nobody uses may get more: that is oversubscription, and its user's own
    /// matter.
    bool has_room(const Parts& parts) const;
    /// The nodes are those of the session.
    bool knows(const Parts& parts) const;
    void take(const Parts& parts) { count(parts, 1); }
    void give_back(const Parts& parts) { count(parts, -1); }
    uint32_t used(NodeIndex node) const;
    bool has_free(NodeIndex node) const;

  private:
    struct Slots {
        uint32_t all = 0;
        uint32_t used = 0;
        bool is_there = false;  ///< else jobs have some yet
    };

    void count(const Parts& parts, int sign);

    std::map<NodeIndex, Slots> slots_;
};

}  // namespace launch
