// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>

#include "core/async/asio.hpp"
#include "core/transport.hpp"

namespace launch {

/// Closes a stream on which nothing has gone on for `patience`, also one on which something goes on
/// for ten times as long; and at once when a stop is requested.
class StreamWatch {
  public:
    StreamWatch(const any_io_executor& executor, ByteStream& stream,
                std::chrono::milliseconds patience, std::stop_token stop);
    ~StreamWatch();
    StreamWatch(const StreamWatch&) = delete;
    StreamWatch& operator=(const StreamWatch&) = delete;

    /// How much longer than its patience the longest watch is.
    static constexpr int longest = 10;

    void progress();
    bool timed_out() const;

  private:
    struct State;
    std::shared_ptr<State> state_;  ///< shared with the timer's handler, which may run after us
    std::stop_callback<std::function<void()>> stopped_;
};

}  // namespace launch
