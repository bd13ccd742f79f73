// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/message_source.hpp"
#include "core/link/retransmit_buffer.hpp"
#include "core/link/sequence_filter.hpp"

namespace launch {

/// After that many bytes the other side gets an acknowledgement at once, for fewer with the next
/// beat.
inline constexpr size_t enough_to_acknowledge = 64u << 10;
/// Messages that are made when there is room: the next one is made when no more than this is on its
/// way.
inline constexpr size_t most_on_the_way = 512u << 10;

/// Frames between two neighbours that must arrive once and in order, also when the link between
/// them breaks and another takes its place. Sans I/O; one for each class of frames that keep their
/// order among themselves (ReceivedCount).
class NeighbourChannel {
  public:
    /// The payload to send. The channel keeps it until the other side has acknowledged it.
    const std::string& keep(FrameType type, std::string_view body);
    /// Queues messages that are made when there is room, and those after them: see next().
    void enqueue(FrameType type, MessageSource messages);
    void enqueue(FrameType type, std::string body);
    /// A message that is kept now would overtake those in the queue.
    bool has_queue() const { return !queue_.empty(); }
    /// The next of what was queued, to be sent now. Kept as above. Null: none, or the other side
    /// has to acknowledge some first.
    const RetransmitBuffer::Entry* next();

    struct Taken {
        bool fresh = false;  ///< it had not come before
        std::string_view body;
    };
    /// A frame of the other side. Nothing: malformed, or one that misses its predecessor.
    std::optional<Taken> take(std::string_view payload);

    /// The number of the last message to the other side. Messages in the queue have none yet.
    uint64_t last_number() const { return sent_.next_number() - 1; }
    /// So many have come from the other side.
    uint64_t received() const { return filter_.received(); }
    /// Bytes that came since the last acknowledgement.
    size_t owed() const { return owed_; }
    void told() { owed_ = 0; }

    /// So many have come to the other side. False: more than were sent.
    bool acknowledge(uint64_t count) { return sent_.acknowledge(count); }
    const RetransmitBuffer& unacknowledged() const { return sent_; }

  private:
    struct Queued {
        FrameType type{};
        MessageSource messages;
    };

    const RetransmitBuffer::Entry& add(FrameType type, std::string_view body);

    RetransmitBuffer sent_;
    std::deque<Queued> queue_;
    SequenceFilter filter_;
    size_t owed_ = 0;
};

}  // namespace launch
