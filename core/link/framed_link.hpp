// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "core/async/event.hpp"
#include "core/async/turns.hpp"
#include "core/transport.hpp"
#include "core/wire/frame.hpp"
#include "core/wire/link_messages.hpp"
#include "core/wire/stats.hpp"

namespace launch {

/// Frames over a ByteStream. Control frames overtake data frames; data frames wait for credit that
/// the receiver grants, so that a receiver can always read and control is never stuck behind a
/// stalled reader. Several senders of data take turns, frame by frame.
class FramedLink {
  public:
    /// `read`: what has been read from the stream before.
    FramedLink(any_io_executor executor, std::unique_ptr<ByteStream> stream,
               std::string_view read = {});

    /// The next frame; nothing at the end of the stream; an Error for bytes that are not ours.
    awaitable<Result<std::optional<Frame>>> receive();

    /// Queues the greeting or a control frame; never waits.
    void send_magic();
    void send(FrameType type, std::string_view payload);
    /// Sends a frame for which others wait: it is written at once if nothing else is on its way.
    void send_now(FrameType type, std::string_view payload);
    /// Queues a data frame that the receiver's end-to-end credit already covers.
    void send_granted(FrameType type, std::string_view payload);
    /// Sends such a frame after the frames before it have begun to be written.
    awaitable<bool> send_paced(FrameType type, std::string_view payload);
    /// Waits for credit, then queues a data frame. False: the link is gone.
    awaitable<bool> send_data(FrameType type, std::string_view payload);
    void add_credit(uint64_t bytes);
    /// Lets the other side send that many bytes of output more, plus one frame that may exceed
    /// them. The other side learns this by grant(), or by another message (allow()). From the first
    /// such call on receive() returns an Error for output that exceeds the limit.
    void grant(uint64_t bytes);
    void allow(uint64_t bytes) { allowed_ = allowed_.value_or(0) + static_cast<int64_t>(bytes); }

    /// Keeps a direct link for when the other side moves to it (the parent's part) ...
    void offer(std::unique_ptr<ByteStream> direct);
    /// ... or moves to it at once (the child's): what was sent before goes the old way, in order.
    void move_to(std::unique_ptr<ByteStream> direct);
    /// Both directions go over a direct link.
    bool moved() const { return in_ != stream_.get() && out_ != stream_.get(); }
    /// Closes the link when both directions go over a direct link, now or later. Call this when the
    /// other side has said its last words: it waits for the end of a direct link, as a socket that
    /// is closed too early may lose what was sent on it last.
    void close_when_moved();
    /// Calls `tell` once, when so many bytes have moved over this link both ways; soon, if they
    /// have already. Another call, or none, takes its place.
    void when_carried(uint64_t bytes, std::function<void()> tell);
    /// After it moved: reads the stream that it left to its end, which tells how what the
    /// transport started there ended. Until close() at the latest.
    awaitable<void> read_left_stream();
    const LinkCounts& counts() const { return counts_; }

    /// Writes what is queued until close() and the queues are empty or the stream is gone.
    awaitable<void> run_writer();
    /// Nothing more will be queued: run_writer() ends when all is written.
    void finish_writing();
    /// Ends both directions now.
    void close();
    bool closed() const { return state_ == State::closed; }

    /// For liveness: has anything been received (or much been taken in by the other side) / sent
    /// since the last call?
    bool take_heard() { return std::exchange(heard_, false); }
    bool take_spoken() { return std::exchange(spoken_, false); }

    const FrameParser& parser() const { return parser_; }
    const ByteStream& stream() const { return *stream_; }

  private:
    /// In this order: a link only ever goes on to a later one.
    enum class State : uint8_t {
        open,
        finishing,  ///< nothing more will be queued
        deaf,       ///< the other side takes nothing any more; what it said is still read
        closed,
    };
    /// From the transport's stream to the direct one, as the writer.
    enum class Move : uint8_t {
        none,
        wanted,     ///< as soon as what is queued is written
        under_way,  ///< the word is being written, or has been
    };

    bool is_allowed(const Frame& frame);
    awaitable<bool> follow();
    void leave();
    void come_to(State state) { state_ = std::max(state_, state); }
    bool takes() const { return state_ < State::deaf; }
    void add_traffic(size_t bytes);
    void encode(FrameType type, std::string_view payload, std::string& out);
    std::string take_batch();
    void stop_writing();

    std::unique_ptr<ByteStream> stream_;  ///< the transport's; stays open beside a direct one
    std::unique_ptr<ByteStream> direct_;
    ByteStream* in_;   ///< the one that is read
    ByteStream* out_;  ///< the one that is written
    FrameParser parser_;
    std::string read_buffer_;
    std::string control_;
    std::deque<std::string> data_;
    Event writable_;
    Turns credited_;  ///< each sender in its turn: no host may take what others wait for
    Turns drained_;
    Event offered_;
    int64_t credit_ = 0;
    std::optional<int64_t> allowed_;  ///< bytes of output; nothing: no bound was set
    uint64_t traffic_ = 0;
    LinkCounts counts_;
    uint64_t told_at_ = 0;  ///< bytes, see when_carried()
    std::function<void()> tell_;
    State state_ = State::open;
    Move move_ = Move::none;
    bool writing_ = false;
    bool closes_when_moved_ = false;
    bool heard_ = false;
    bool spoken_ = false;
};

/// Its writer, as long as it runs.
awaitable<void> write_to_end(std::shared_ptr<FramedLink> link);

/// The next frame, if it comes in time; else the link is closed.
awaitable<Result<std::optional<Frame>>> receive_within(any_io_executor executor,
                                                       std::shared_ptr<FramedLink> link,
                                                       std::chrono::milliseconds limit);

/// By which node `from` says who it is on a link of its own; nothing where it says something else.
awaitable<std::optional<AttachMessage>> receive_attach(any_io_executor executor,
                                                       std::shared_ptr<FramedLink> link,
                                                       NodeIndex from,
                                                       std::chrono::milliseconds limit);

}  // namespace launch
