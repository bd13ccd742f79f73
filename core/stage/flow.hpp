// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/wire/stage_messages.hpp"

namespace launch {

/// The receiver's side of the flow of segments over one link: it takes each once and in order, and
/// grants a window beyond what is on its disk, so that what waits for the disk is bounded. Numbers
/// are absolute: a grant that is lost or told twice does no harm. Sans I/O.
class SegmentIntake {
  public:
    explicit SegmentIntake(uint64_t total, uint64_t window) : total_(total), window_(window) {}

    enum class Verdict { fresh, known, refused };
    Verdict take(uint64_t number) {
        if (number >= limit_) return Verdict::refused;  // never granted
        // Before a restart is heard, segments may come that miss their predecessors.
        if (number != next_) return Verdict::known;
        ++next_;
        return Verdict::fresh;
    }
    /// On disk now; below this number.
    void written(uint64_t count) { written_ = count; }
    bool complete() const { return written_ == total_; }

    /// The next request, if enough has changed.
    std::optional<WantedMessage> wanted() {
        const uint64_t limit = std::min(total_, written_ + window_);
        if (limit < limit_ + window_ / 2 && (limit < total_ || limit == limit_))
            return std::nullopt;
        limit_ = limit;
        return WantedMessage{next_, limit_, false};
    }
    /// At the start, and when the link was lost.
    WantedMessage restart() {
        limit_ = std::max(limit_, std::min(total_, written_ + window_));
        return {next_, limit_, true};
    }

  private:
    uint64_t total_;
    uint64_t window_;
    uint64_t next_ = 0;
    uint64_t written_ = 0;
    uint64_t limit_ = 0;
};

/// The sender's side, for one child. Sans I/O.
class SegmentCursor {
  public:
    explicit SegmentCursor(uint64_t total) : total_(total) {}

    /// False: more than there is.
    bool wanted(const WantedMessage& message) {
        if (message.limit > total_ || message.next > message.limit) return false;
        if (message.restart) next_ = message.next;
        limit_ = message.restart ? message.limit : std::max(limit_, message.limit);
        return true;
    }
    bool may_send(uint64_t available) const { return next_ < std::min(limit_, available); }
    uint64_t next() const { return next_; }
    /// A restart may have come while it was being sent.
    void sent(uint64_t number) {
        if (number == next_) ++next_;
    }

  private:
    uint64_t total_;
    uint64_t next_ = 0;
    uint64_t limit_ = 0;
};

}  // namespace launch
