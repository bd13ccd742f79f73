// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <random>

#include "core/base/error.hpp"

namespace launch {

/// Whether another try may help. An overloaded sshd refuses or drops; everything else stays.
enum class Retry : uint8_t {
    no,
    refused,  ///< nobody listens: sshd may be restarting, but usually is not there
    dropped,  ///< closed while or before keys were exchanged: MaxStartups
};

/// The pauses between tries to reach one host: growing, jittered, limited in number, and short in
/// total if the port is refused. Pure except for its random numbers.
class Backoff {
  public:
    using Milliseconds = std::chrono::milliseconds;

    /// `seed` tells callers apart, so that they do not come back all at once.
    explicit Backoff(uint32_t seed) : random_(seed) {}

    /// How long to wait before the next try after a failure of this sort; none: that was all.
    std::optional<Milliseconds> next(Retry retry);
    /// The tries so far, the failed last one included.
    int tries() const { return tries_; }
    /// Adds to the cause how often it was tried, where that was more than once.
    Error explain(Error error) const;

  private:
    std::minstd_rand random_;
    int tries_ = 1;
};

}  // namespace launch
