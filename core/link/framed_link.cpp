// SPDX-License-Identifier: MIT
#include "core/link/framed_link.hpp"

#include <algorithm>

#include "core/async/timer.hpp"
#include "core/link/patience.hpp"
#include "core/wire/messages.hpp"

namespace launch {
namespace {

constexpr size_t small_read = 1u << 10;
constexpr size_t large_read = 64u << 10;
constexpr size_t batch_size = 64u << 10;

void count(FrameType type, std::string_view payload, std::array<FrameCount, frame_kinds>& counts) {
    FrameCount& of_kind = counts[static_cast<size_t>(kind_of(type))];
    ++of_kind.frames;
    of_kind.bytes += payload.size() + frame_head;
}

}  // namespace

FramedLink::FramedLink(any_io_executor executor, std::unique_ptr<ByteStream> stream,
                       std::string_view read)
    : stream_(std::move(stream)),
      in_(stream_.get()),
      out_(stream_.get()),
      writable_(executor),
      credited_(executor),
      drained_(executor),
      offered_(executor) {
    read_buffer_.resize(small_read);
    parser_.feed(read);
}

awaitable<Result<std::optional<Frame>>> FramedLink::receive() {
    for (;;) {
        auto frame = parser_.next();
        if (frame && frame->has_value() && (*frame)->type == FrameType::moved) {
            const bool followed = co_await follow();
            if (!followed) co_return std::optional<Frame>{};
            continue;
        }
        if (frame && frame->has_value()) count((*frame)->type, (*frame)->payload, counts_.received);
        if (frame && frame->has_value() && !is_allowed(**frame))
            co_return Error{ErrorKind::internal,
                            "read",
                            {},
                            -1,
                            "the peer sent more output than was requested",
                            {}};
        if (!frame || frame->has_value()) co_return frame;
        const size_t n = co_await in_->read_some({read_buffer_.data(), read_buffer_.size()});
        if (n == 0) co_return std::optional<Frame>{};
        heard_ = true;
        add_traffic(n);
        parser_.feed({read_buffer_.data(), n});
        // Most links stay small; one that carries much gets a large buffer.
        if (n == read_buffer_.size()) read_buffer_.resize(std::min(4 * n, large_read));
    }
}

bool FramedLink::is_allowed(const Frame& frame) {
    if (frame.type != FrameType::output || !allowed_) return true;
    const bool allowed = *allowed_ > 0;
    *allowed_ -= static_cast<int64_t>(frame.payload.size());
    return allowed;
}

/// Waits until the direct link is there, then reads from it: the other side has switched.
awaitable<bool> FramedLink::follow() {
    const auto deadline = Clock::now() + patience::follow;
    while (!direct_ && !closed() && Clock::now() < deadline)
        co_await offered_.wait_until(deadline);
    if (!direct_ || in_ == direct_.get()) co_return false;
    in_ = direct_.get();
    leave();
    if (closes_when_moved_) close_when_moved();
    co_return true;
}

void FramedLink::offer(std::unique_ptr<ByteStream> direct) {
    if (closed() || move_ != Move::none || in_ != stream_.get()) {
        direct->close();
        return;
    }
    direct_ = std::move(direct);
    offered_.notify();
}

void FramedLink::move_to(std::unique_ptr<ByteStream> direct) {
    offer(std::move(direct));
    if (direct_) leave();
}

void FramedLink::close_when_moved() {
    closes_when_moved_ = true;
    if (moved()) close();
}

/// Once only: the other side's answer may come before we know that our own word was written.
void FramedLink::leave() {
    if (move_ != Move::none) return;
    move_ = Move::wanted;
    writable_.notify();
}

awaitable<void> FramedLink::read_left_stream() {
    size_t n = in_ == stream_.get() ? 0 : 1;
    while (n > 0)
        n = co_await stream_->read_some({read_buffer_.data(), read_buffer_.size()});
}

void FramedLink::send_magic() {
    control_.append(link_magic);
}

void FramedLink::encode(FrameType type, std::string_view payload, std::string& out) {
    encode_frame(type, payload, out);
    count(type, payload, counts_.sent);
}

void FramedLink::send(FrameType type, std::string_view payload) {
    if (!takes()) return;
    encode(type, payload, control_);
    writable_.notify();
}

void FramedLink::send_now(FrameType type, std::string_view payload) {
    if (!takes() || writing_ || move_ == Move::wanted || !control_.empty() || !data_.empty()) {
        send(type, payload);
        return;
    }
    encode(type, payload, control_);
    const size_t n = out_->write_now(control_);
    add_traffic(n);
    spoken_ = spoken_ || n > 0;
    control_.erase(0, n);
    if (!control_.empty()) writable_.notify();
}

void FramedLink::send_granted(FrameType type, std::string_view payload) {
    if (!takes()) return;
    std::string bytes;
    encode(type, payload, bytes);
    data_.push_back(std::move(bytes));
    writable_.notify();
}

awaitable<bool> FramedLink::send_paced(FrameType type, std::string_view payload) {
    Turns::Place place(drained_);
    while (takes() && !(place.is_first() && data_.empty()))
        co_await place.wait();
    if (!takes()) co_return false;
    send_granted(type, payload);
    co_return true;
}

awaitable<bool> FramedLink::send_data(FrameType type, std::string_view payload) {
    Turns::Place place(credited_);
    while (takes() && !(place.is_first() && credit_ > 0))
        co_await place.wait();
    if (!takes()) co_return false;
    // One frame may overdraw the credit: the receiver's bound is its window plus one frame.
    credit_ -= static_cast<int64_t>(payload.size());
    send_granted(type, payload);
    co_return true;
}

void FramedLink::add_credit(uint64_t bytes) {
    credit_ += static_cast<int64_t>(bytes);
    credited_.notify();
}

void FramedLink::grant(uint64_t bytes) {
    allow(bytes);
    send(FrameType::credit, encode_number(bytes));
}

void FramedLink::when_carried(uint64_t bytes, std::function<void()> tell) {
    told_at_ = bytes;
    tell_ = std::move(tell);
    add_traffic(0);
}

void FramedLink::add_traffic(size_t bytes) {
    traffic_ += bytes;
    if (!tell_ || traffic_ < told_at_) return;
    std::exchange(tell_, nullptr)();
}

std::string FramedLink::take_batch() {
    std::string batch = std::exchange(control_, {});
    while (!data_.empty() && batch.size() < batch_size) {
        batch.append(data_.front());
        data_.pop_front();
    }
    if (data_.empty()) drained_.notify();
    if (move_ == Move::wanted) encode_frame(FrameType::moved, {}, batch);
    return batch;
}

awaitable<void> FramedLink::run_writer() {
    while (!closed()) {
        std::string batch = take_batch();  // not kept while there is nothing to write
        if (batch.empty()) {
            if (state_ == State::finishing) co_return;
            co_await writable_.wait();
            continue;
        }
        spoken_ = true;
        writing_ = true;
        const bool moves = move_ == Move::wanted;
        if (moves) move_ = Move::under_way;
        std::span<const char> rest(batch);
        while (!rest.empty() && !closed()) {
            const size_t n = co_await out_->write_some(rest);
            if (n == 0) {
                stop_writing();
                co_return;
            }
            // A receiver of much data may be too busy to send. If the receiver is gone, writing
            // ends as soon as the buffers on the way are full.
            heard_ = heard_ || rest.size() < batch.size();
            add_traffic(n);
            rest = rest.subspan(n);
        }
        if (moves) out_ = direct_.get();
        writing_ = false;
        if (moves && closes_when_moved_) close_when_moved();
    }
}

/// Stops writing; messages that the other side sent before it left can still be read.
void FramedLink::stop_writing() {
    come_to(State::deaf);
    control_.clear();
    data_.clear();
    credited_.notify_all();
    drained_.notify_all();
}

void FramedLink::finish_writing() {
    come_to(State::finishing);
    writable_.notify();
}

void FramedLink::close() {
    come_to(State::closed);
    stream_->close();
    if (direct_) direct_->close();
    offered_.notify();
    writable_.notify();
    credited_.notify_all();
    drained_.notify_all();
}

awaitable<void> write_to_end(std::shared_ptr<FramedLink> link) {
    co_await link->run_writer();
}

awaitable<Result<std::optional<Frame>>> receive_within(any_io_executor executor,
                                                       std::shared_ptr<FramedLink> link,
                                                       std::chrono::milliseconds limit) {
    Timer deadline(executor, limit);
    // A timer whose time has come cannot be cancelled any more, and may only be late to say so.
    const auto waiting = std::make_shared<bool>(true);
    deadline.async_wait([link, waiting](std::error_code ec) {
        if (!ec && *waiting) link->close();
    });
    auto frame = co_await link->receive();
    *waiting = false;
    deadline.cancel();
    co_return frame;
}

awaitable<std::optional<AttachMessage>> receive_attach(any_io_executor executor,
                                                       std::shared_ptr<FramedLink> link,
                                                       NodeIndex from,
                                                       std::chrono::milliseconds limit) {
    auto frame = co_await receive_within(executor, link, limit);
    const bool attaches = frame && frame->has_value() && (*frame)->type == FrameType::attach;
    auto message = attaches ? AttachMessage::decode((*frame)->payload) : std::nullopt;
    if (message && message->node != from) message.reset();
    co_return message;
}

}  // namespace launch
