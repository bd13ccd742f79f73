// SPDX-License-Identifier: MIT
#include "core/io/stream_watch.hpp"

#include <algorithm>

#include "core/async/timer.hpp"

namespace launch {

struct StreamWatch::State {
    State(const any_io_executor& executor, ByteStream& watched, std::chrono::milliseconds limit)
        : timer(executor),
          stream(&watched),
          patience(limit),
          end(Clock::now() + longest * limit),
          deadline(Clock::now() + limit) {}

    /// Progress moves the deadline, not the timer.
    static void wait(const std::shared_ptr<State>& self) {
        self->timer.expires_at(self->deadline);
        self->timer.async_wait([self](std::error_code ec) {
            if (ec || self->stream == nullptr) return;
            if (Clock::now() < self->deadline) return wait(self);
            self->timed_out = true;
            self->stream->close();
        });
    }

    Timer timer;
    ByteStream* stream;  ///< null: watched no more
    std::chrono::milliseconds patience;
    Clock::time_point end;
    Clock::time_point deadline;
    bool timed_out = false;
};

StreamWatch::StreamWatch(const any_io_executor& executor, ByteStream& stream,
                         std::chrono::milliseconds patience, std::stop_token stop)
    : state_(std::make_shared<State>(executor, stream, patience)),
      stopped_(std::move(stop), [&stream] { stream.close(); }) {
    State::wait(state_);
}

StreamWatch::~StreamWatch() {
    state_->stream = nullptr;
    state_->timer.cancel();
}

void StreamWatch::progress() {
    state_->deadline = std::min(state_->end, Clock::now() + state_->patience);
}

bool StreamWatch::timed_out() const {
    return state_->timed_out;
}

}  // namespace launch
