#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/link/retransmit_buffer.hpp"
#include "core/link/sequence_filter.hpp"

namespace launch {

/// After so many bytes that came the other side is told at once, for fewer with the next beat.
inline constexpr size_t enough_to_acknowledge = 64u << 10;

/// Frames between two neighbours that must arrive once and in order, also when the link between
/// them breaks and another takes its place. Sans I/O; one for each class of frames that keep their
/// order among themselves (ReceivedCount).
class NeighbourChannel {
  public:
    /// The payload to send. The channel keeps it until the other side has acknowledged it.
    const std::string& keep(FrameType type, std::string_view body);

    struct Taken {
        bool fresh = false;  ///< it had not come before
        std::string_view body;
    };
    /// A frame of the other side. Nothing: malformed, or one that misses its predecessor.
    std::optional<Taken> take(std::string_view payload);

    /// So many have come from the other side.
    uint64_t received() const { return filter_.received(); }
    /// Bytes that came since the other side was told.
    size_t owed() const { return owed_; }
    void told() { owed_ = 0; }

    /// So many have come to the other side. False: more than were sent.
    bool acknowledge(uint64_t count) { return sent_.acknowledge(count); }
    const RetransmitBuffer& unacknowledged() const { return sent_; }

  private:
    RetransmitBuffer sent_;
    SequenceFilter filter_;
    size_t owed_ = 0;
};

}  // namespace launch
