// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "core/wire/frame.hpp"

namespace launch {

/// Numbered frames that a receiver has not acknowledged yet, in the order in which they were sent:
/// sent again where a link broke, since nobody knows how far they came. Sans I/O.
class RetransmitBuffer {
  public:
    struct Entry {
        uint64_t number = 0;
        FrameType type{};
        std::string payload;  ///< as it goes over a link
    };

    /// The number of the next entry; the first is 1.
    uint64_t next_number() const { return last_ + 1; }
    const Entry& add(FrameType type, std::string payload) {
        bytes_ += payload.size();
        entries_.push_back({++last_, type, std::move(payload)});
        return entries_.back();
    }
    /// The receiver has all up to this number. False: more than there have been.
    bool acknowledge(uint64_t number) {
        if (number > last_) return false;
        while (!entries_.empty() && entries_.front().number <= number) {
            bytes_ -= entries_.front().payload.size();
            entries_.pop_front();
        }
        return true;
    }
    /// Oldest first.
    const std::deque<Entry>& entries() const { return entries_; }
    /// The first entry that is not acknowledged and not older than this number; null: there is no
    /// such entry.
    const Entry* from(uint64_t number) const {
        if (entries_.empty() || number > last_) return nullptr;
        const uint64_t first = entries_.front().number;
        return &entries_[number <= first ? 0 : number - first];
    }
    /// The bytes of all payloads together.
    size_t bytes() const { return bytes_; }

  private:
    std::deque<Entry> entries_;
    uint64_t last_ = 0;
    size_t bytes_ = 0;
};

}  // namespace launch
