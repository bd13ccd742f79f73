// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/async/event.hpp"
#include "core/transport.hpp"
#include "core/wire/frame.hpp"
#include "tests/unit/core/harness/cores.hpp"

namespace launch {

/// Where a cable breaks: at a frame of that type, in its middle or behind it.
struct Break {
    enum class At : uint8_t { middle, end } at = At::middle;
    FrameType type{};
    int skip = 0;  ///< so many of these pass before
};

/// Follows the frames in bytes that go by, as a Break must know them.
class FrameTracker {
  public:
    /// Asked at the head of each frame whether it breaks there.
    using Breaks = std::function<std::optional<Break::At>(FrameType)>;
    /// `greeted`: no magic comes before the first frame.
    FrameTracker(bool greeted, Breaks breaks)
        : breaks_(std::move(breaks)), magic_left_(greeted ? 0 : link_magic.size()) {}

    /// After how many of these bytes it breaks; nothing: after none.
    std::optional<size_t> pass(std::string_view bytes);

  private:
    std::optional<size_t> begin_frame();

    Breaks breaks_;

    size_t magic_left_;
    std::string head_;
    size_t body_left_ = 0;
    std::optional<size_t> breaks_in_;  ///< so many bytes of this frame's body
};

/// The properties of a connection, in each direction. The default is a perfect one.
struct LinkQuality {
    Clock::duration latency{0};
    uint64_t bytes_per_second = 0;    ///< 0: any number
    size_t most_at_once = 64u << 10;  ///< bytes that one read gives and one write takes
};

/// Bytes on their way in one direction, in order.
class Transit {
  public:
    void send(std::string_view bytes, const LinkQuality& over);
    /// Takes bytes that have arrived.
    size_t take(std::span<char> into);
    bool has_arrived() { return arrived() > 0; }
    size_t size() const { return bytes_.size(); }
    bool empty() const { return bytes_.empty(); }
    /// When more arrive; max: none are on their way.
    Clock::time_point next() const;

  private:
    /// Written at once.
    struct Parcel {
        Clock::time_point arrives;
        size_t size;
    };
    size_t arrived();

    std::string bytes_;
    size_t arrived_ = 0;
    std::deque<Parcel> parcels_;  ///< the rest of the bytes
};

/// A connection between two nodes that are played in one process: two streams and a test's hand on
/// what is between them. It outlives neither the executor nor waiting for it.
class Cable : public std::enable_shared_from_this<Cable> {
  public:
    enum class Side : uint8_t { a, b };
    static Side other(Side side) { return side == Side::a ? Side::b : Side::a; }
    /// Told of each frame when its head leaves that side; may break the cable there.
    using Watch = std::function<std::optional<Break::At>(Cable&, Side from, FrameType)>;

    static std::shared_ptr<Cable> make(any_io_executor executor, bool greeted = false,
                                       LinkQuality quality = {}, Watch watch = {});
    Cable(any_io_executor executor, bool greeted, LinkQuality quality, Watch watch);
    Cable(const Cable&) = delete;
    Cable& operator=(const Cable&) = delete;

    /// Once for each side.
    std::unique_ptr<ByteStream> end(Side side);

    /// Goes ahead of all that this side sends, and is none of its frames.
    void say(Side from, std::string_view noise) { lane(from).transit.send(noise, quality_); }
    /// Both sides find the end now, and what was on its way is lost.
    void cut();
    /// What that side sends is lost from there on; the other finds the end when it has read what
    /// came before.
    void break_at(Side from, Break wanted) { lane(from).breaks = wanted; }
    /// It breaks nowhere any more, if it has not.
    void mend() {
        for (Lane& each : lanes_)
            each.breaks.reset();
    }
    bool is_broken() const { return broken_; }
    /// Nothing arrives, and nobody is told; or all of it does again.
    void hold(bool held);
    void hold(Side from, bool held);
    /// As by the kernel for a process that is gone.
    void leave(Side side);
    /// These cores wake the reader on that side; null, as at first: to wake up takes no time.
    void read_by(Side side, Cores* cores) { readers_[static_cast<size_t>(side)] = cores; }
    /// Of the command that is run at the other end, once it has ended.
    void exit(int code) { exit_code_ = code; }

    int open_ends() const { return (lane(Side::a).left ? 0 : 1) + (lane(Side::b).left ? 0 : 1); }

  private:
    friend class CableEnd;

    /// One direction.
    struct Lane {
        Lane(Cable& cable, Side from, bool greeted)
            : frames(greeted, [&cable, from](FrameType type) { return cable.breaks(from, type); }),
              changed(cable.executor_) {}

        Transit transit;
        bool is_readable() { return transit.has_arrived() || (ended && transit.empty()); }
        bool ended = false;    ///< no more come
        bool refused = false;  ///< nobody takes any
        bool held = false;
        bool left = false;  ///< who sends here uses neither direction any more
        std::optional<Break> breaks;
        FrameTracker frames;
        Event changed;
    };
    static constexpr size_t capacity = 64u << 10;

    Lane& lane(Side from) { return lanes_[static_cast<size_t>(from)]; }
    const Lane& lane(Side from) const { return lanes_[static_cast<size_t>(from)]; }
    std::optional<Break::At> breaks(Side from, FrameType type);
    size_t push(Side from, std::string_view bytes);
    void wake();

    any_io_executor executor_;
    const LinkQuality quality_;
    const Watch watch_;
    std::array<Lane, 2> lanes_;
    std::array<Cores*, 2> readers_{};
    bool broken_ = false;
    std::optional<int> exit_code_;
};

}  // namespace launch
