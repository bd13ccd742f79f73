// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <string>

#include "core/link/bounds.hpp"
#include "core/wire/frame.hpp"
#include "core/wire/job_text.hpp"
#include "core/wire/link_messages.hpp"

namespace launch {

/// The head's broadcasts that a node has got: in order and each once, for itself and for nodes
/// below, which get those that they have missed when they come. A broadcast that may be repeated
/// often, such as a signal or the end of a job, is dropped when all nodes below have it. Sans I/O.
class BroadcastLog {
  public:
    /// `keeps`: Bounds::broadcasts.
    explicit BroadcastLog(size_t keeps = Bounds().broadcasts) : keeps_(keeps) {}

    struct Entry {
        FrameType type{};
        uint64_t number = 0;
        std::string payload;  ///< with its number, as it goes over links
    };

    /// False: heard before.
    bool take(FrameType type, Broadcast message) {
        if (message.number <= last_) return false;
        last_ = message.number;
        if (type == FrameType::end_job) forget_orders_of(message.body);
        entries_.push_back({type, last_, wrap_broadcast(message)});
        return true;
    }
    /// Every node that may still come here for what it has missed has heard all up to `number`.
    void heard_below(uint64_t number) {
        while (entries_.size() > keeps_ && drop_oldest(number)) {
        }
    }
    uint64_t last() const { return last_; }
    bool has(FrameType type) const {
        return std::any_of(entries_.begin(), entries_.end(),
                           [type](const Entry& entry) { return entry.type == type; });
    }
    const std::deque<Entry>& entries() const { return entries_; }
    /// The first that somebody has missed who has heard up to `number`; null: none.
    const Entry* after(uint64_t number) const {
        const auto at =
            std::find_if(entries_.begin(), entries_.end(),
                         [number](const Entry& entry) { return entry.number > number; });
        return at == entries_.end() ? nullptr : &*at;
    }

  private:
    /// False: all that is left is to be kept.
    bool drop_oldest(uint64_t heard) {
        const auto at = std::find_if(entries_.begin(), entries_.end(), [](const Entry& entry) {
            return entry.type == FrameType::signal || entry.type == FrameType::window ||
                   entry.type == FrameType::pause || entry.type == FrameType::end_job ||
                   entry.type == FrameType::survey || entry.type == FrameType::spawned ||
                   entry.type == FrameType::remove;
        });
        if (at == entries_.end() || at->number > heard) return false;
        entries_.erase(at);
        return true;
    }

    /// Drops the orders to a job's ranks: a node that learns of the job's end does not need them.
    void forget_orders_of(std::string_view end) {
        const auto ended = unwrap_job(end);
        std::erase_if(entries_, [&ended](const Entry& entry) {
            if (!ended || !is_of_job(entry.type)) return false;
            const auto order = unwrap_broadcast(entry.payload);
            const auto text = order ? unwrap_job(order->body) : std::nullopt;
            return text && text->job == ended->job;
        });
    }

    const size_t keeps_;
    std::deque<Entry> entries_;
    uint64_t last_ = 0;
};

}  // namespace launch
