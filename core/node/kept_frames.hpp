#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "core/wire/frame.hpp"

namespace launch {

/// So many bytes that came are confirmed at once, fewer with the next beat.
inline constexpr size_t enough_to_confirm = 64u << 10;

/// Frames between two neighbours that must arrive once and in order, also when the link between
/// them breaks and another takes its place: numbered, and kept until the other side has said that
/// it received them. Sans I/O; one for each class of frames that keep their order (KeptCount).
class KeptFrames {
  public:
    struct Frame {
        uint64_t number = 0;
        FrameType type{};
        std::string payload;  ///< as it goes over the link
    };

    /// The payload to send, which is kept.
    const std::string& keep(FrameType type, std::string_view body);

    struct Taken {
        bool fresh = false;  ///< it had not come before
        std::string_view body;
    };
    /// A frame of the other side. Nothing: malformed, or one that misses its predecessor.
    std::optional<Taken> take(std::string_view payload);

    /// So many have come from the other side.
    uint64_t received() const { return received_; }
    /// Bytes that came since the other side was told.
    size_t owed() const { return owed_; }
    void told() { owed_ = 0; }

    /// So many have come to the other side. False: more than were sent.
    bool acknowledge(uint64_t count);
    /// What it has not confirmed, oldest first.
    const std::deque<Frame>& unconfirmed() const { return unconfirmed_; }

  private:
    std::deque<Frame> unconfirmed_;
    uint64_t sent_ = 0;
    uint64_t received_ = 0;
    size_t owed_ = 0;
};

}  // namespace launch
