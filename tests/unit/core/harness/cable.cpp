// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/cable.hpp"

#include <algorithm>

namespace launch {

std::optional<size_t> FrameTracker::pass(std::string_view bytes) {
    size_t at = 0;
    const auto skip = [&](size_t& left) {
        const size_t step = std::min(left, bytes.size() - at);
        left -= step;
        at += step;
    };
    while (at < bytes.size()) {
        if (magic_left_ > 0) {
            skip(magic_left_);
        } else if (body_left_ > 0) {
            const size_t begin = at;
            skip(body_left_);
            if (breaks_in_ && *breaks_in_ <= at - begin) return begin + *breaks_in_;
            if (breaks_in_) *breaks_in_ -= at - begin;
        } else {
            head_.push_back(bytes[at++]);
            const auto back = begin_frame();
            if (back) return at - *back;
        }
    }
    return std::nullopt;
}

/// With the last byte of a frame's head: how far behind it the break is, if it is there already.
std::optional<size_t> FrameTracker::begin_frame() {
    if (head_.size() < frame_head) return std::nullopt;
    for (size_t i = 4; i-- > 0;)
        body_left_ = (body_left_ << 8) | static_cast<unsigned char>(head_[i]);
    const auto type = static_cast<FrameType>(head_[4]);
    head_.clear();
    const auto at = breaks_(type);
    if (!at) return std::nullopt;
    const bool in_middle = *at == Break::At::middle;
    breaks_in_ = in_middle ? body_left_ / 2 : body_left_;
    if (*breaks_in_ > 0) return std::nullopt;
    return in_middle ? 1 : 0;
}

void Transit::send(std::string_view bytes, const LinkQuality& over) {
    bytes_ += bytes;
    Clock::time_point arrives = Clock::now() + over.latency;
    if (!parcels_.empty()) arrives = std::max(arrives, parcels_.back().arrives);
    if (over.bytes_per_second > 0)
        arrives += std::chrono::nanoseconds{bytes.size() * 1'000'000'000 / over.bytes_per_second};
    parcels_.push_back({arrives, bytes.size()});
}

size_t Transit::take(std::span<char> into) {
    const size_t n = bytes_.copy(into.data(), std::min(arrived(), into.size()));
    bytes_.erase(0, n);
    arrived_ -= n;
    return n;
}

size_t Transit::arrived() {
    for (; !parcels_.empty() && parcels_.front().arrives <= Clock::now(); parcels_.pop_front())
        arrived_ += parcels_.front().size;
    return arrived_;
}

Clock::time_point Transit::next() const {
    return parcels_.empty() ? Clock::time_point::max() : parcels_.front().arrives;
}

/// What one of the two sees of a cable.
class CableEnd : public ByteStream {
  public:
    CableEnd(std::shared_ptr<Cable> cable, Cable::Side side)
        : cable_(std::move(cable)), side_(side) {}
    ~CableEnd() override { cable_->leave(side_); }

    awaitable<size_t> read_some(std::span<char> buffer) override {
        const auto cable = cable_;
        Cable::Lane& lane = cable->lane(Cable::other(side_));
        const Cable::Lane& own = cable->lane(side_);
        co_await wait_for_bytes(lane, own);
        if (Cores* const cores = cable->readers_[static_cast<size_t>(side_)]) {
            co_await cores->wake();
            co_await wait_for_bytes(lane, own);
        }
        if (own.left) co_return 0;
        const size_t n =
            lane.transit.take(buffer.first(std::min(buffer.size(), cable->quality_.most_at_once)));
        lane.changed.notify();
        co_return n;
    }
    /// Who reads may have the bytes before who writes is told, as with sockets.
    awaitable<size_t> write_some(std::span<const char> bytes) override {
        const auto cable = cable_;
        const auto side = side_;
        Cable::Lane& lane = cable->lane(side);
        while (!lane.left && !lane.refused && lane.transit.size() >= Cable::capacity)
            co_await lane.changed.wait();
        const size_t n = cable->push(side, {bytes.data(), bytes.size()});
        co_await asio::post(cable->executor_, asio::use_awaitable);
        co_return n;
    }
    size_t write_now(std::string_view bytes) override { return cable_->push(side_, bytes); }
    void close() noexcept override { cable_->leave(side_); }
    std::optional<int> exit_code() const override { return cable_->exit_code_; }

  private:
    /// Or until this end is closed.
    static awaitable<void> wait_for_bytes(Cable::Lane& lane, const Cable::Lane& own) {
        while (!own.left && (lane.held || !lane.is_readable()))
            co_await lane.changed.wait_until(lane.held ? Clock::time_point::max()
                                                       : lane.transit.next());
    }

    std::shared_ptr<Cable> cable_;
    Cable::Side side_;
};

std::shared_ptr<Cable> Cable::make(any_io_executor executor, bool greeted, LinkQuality quality,
                                   Watch watch) {
    return std::make_shared<Cable>(std::move(executor), greeted, quality, std::move(watch));
}

Cable::Cable(any_io_executor executor, bool greeted, LinkQuality quality, Watch watch)
    : executor_(std::move(executor)),
      quality_(quality),
      watch_(std::move(watch)),
      lanes_{Lane(*this, Side::a, greeted), Lane(*this, Side::b, greeted)} {}

std::unique_ptr<ByteStream> Cable::end(Side side) {
    return std::make_unique<CableEnd>(shared_from_this(), side);
}

std::optional<Break::At> Cable::breaks(Side from, FrameType type) {
    if (const auto at = watch_ ? watch_(*this, from, type) : std::nullopt) return at;
    auto& wanted = lane(from).breaks;
    if (!wanted || wanted->type != type || wanted->skip-- > 0) return std::nullopt;
    return wanted->at;
}

size_t Cable::push(Side from, std::string_view bytes) {
    Lane& to = lane(from);
    if (to.left || to.refused) return 0;
    const size_t room = capacity - std::min(capacity, to.transit.size());
    const size_t n = std::min({bytes.size(), room, quality_.most_at_once});
    const auto arrive = to.frames.pass(bytes.substr(0, n));
    to.transit.send(bytes.substr(0, arrive.value_or(n)), quality_);
    if (arrive) {
        Transit last = std::exchange(to.transit, {});
        cut();
        to.transit = std::move(last);
    }
    to.changed.notify();
    return n;
}

void Cable::wake() {
    for (Lane& each : lanes_)
        each.changed.notify();
}

void Cable::cut() {
    broken_ = true;
    for (Lane& each : lanes_) {
        each.transit = {};
        each.ended = true;
        each.refused = true;
        each.held = false;
    }
    wake();
}

void Cable::hold(Side from, bool held) {
    lane(from).held = held;
    wake();
}

void Cable::hold(bool held) {
    hold(Side::a, held);
    hold(Side::b, held);
}

void Cable::leave(Side side) {
    Lane& own = lane(side);
    own.left = true;
    own.ended = true;
    lane(other(side)).refused = true;
    wake();
}

}  // namespace launch
