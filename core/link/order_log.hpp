#pragma once

#include <cstdint>
#include <deque>

#include "core/wire/frame.hpp"
#include "core/wire/link_messages.hpp"

namespace launch {

/// The orders that a node has had, each once: for itself, and for those below that may have missed
/// some when a link broke. Sans I/O.
class OrderLog {
  public:
    struct Entry {
        FrameType type{};
        OrderMessage order;
    };

    /// False: had before.
    bool take(FrameType type, OrderMessage order) {
        if (order.number <= last_) return false;
        last_ = order.number;
        entries_.push_back({type, order});
        if (entries_.size() > most_entries) entries_.pop_front();
        return true;
    }
    uint64_t last() const { return last_; }
    const std::deque<Entry>& entries() const { return entries_; }

  private:
    /// Who has missed more, by signals without end, has missed them.
    static constexpr size_t most_entries = 256;

    std::deque<Entry> entries_;
    uint64_t last_ = 0;
};

}  // namespace launch
