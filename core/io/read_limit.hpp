// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <utility>

#include "core/async/asio.hpp"
#include "core/async/timer.hpp"

namespace launch {

/// Ends a read of a stream that has waited for long enough: the read then fails as one that was
/// cancelled, and has taken nothing. One read at a time.
class ReadLimit {
  public:
    explicit ReadLimit(asio::posix::stream_descriptor& stream)
        : state_(std::make_shared<State>(stream)) {}

    /// Before the read.
    void begin(Clock::duration limit) {
        state_->timer.expires_after(limit);
        const uint64_t turn = ++state_->turn;
        state_->timer.async_wait([weak = std::weak_ptr(state_), turn](std::error_code ec) {
            const auto state = weak.lock();
            if (ec || !state || state->turn != turn) return;
            state->passed = true;
            std::error_code ignored;
            state->stream.cancel(ignored);
        });
    }
    /// After it. True: the limit had passed, though the read may have ended by itself just before.
    bool end() {
        ++state_->turn;
        state_->timer.cancel();
        return std::exchange(state_->passed, false);
    }

  private:
    struct State {
        explicit State(asio::posix::stream_descriptor& read)
            : stream(read), timer(read.get_executor()) {}

        asio::posix::stream_descriptor& stream;
        Timer timer;
        uint64_t turn = 0;
        bool passed = false;
    };

    std::shared_ptr<State> state_;  ///< also of a timer's end that is on its way
};

}  // namespace launch
