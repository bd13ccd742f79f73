// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "core/async/gate.hpp"
#include "core/transport.hpp"
#include "transports/start_failure.hpp"

namespace launch {

/// The outcome of one try to start a host: its streams, or why it has none.
struct Try {
    std::unique_ptr<ByteStream> stream;
    StartFailure failure;
    bool is_told = false;  ///< the failure itself tells how often another service has tried
};

/// Starts hosts, a bounded number at a time, and tries one again where that may help, until its
/// deadline or until the job ends.
class Tries {
  public:
    using Started = Result<std::unique_ptr<ByteStream>>;
    using Once = std::function<awaitable<Try>(const StartRequest&, Clock::time_point deadline)>;

    Tries(any_io_executor executor, size_t at_once)
        : executor_(std::move(executor)), gate_(executor_, at_once) {}

    awaitable<Started> start(StartRequest request, Once once);

  private:
    any_io_executor executor_;
    Gate gate_;
};

}  // namespace launch
