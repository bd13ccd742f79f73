// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include "core/base/clock.hpp"

namespace launch {

/// How far the start of a relay on a host has come, in the order in which that usually goes.
enum class StartStage : uint8_t {
    queued,   ///< others have their turn first
    dial,     ///< its name is looked up, its address does not answer yet; all attempts
    auth,     ///< it answers: keys are exchanged, we log in
    start,    ///< logged in: the command is asked for
    client,   ///< another program does all that (the OpenSSH client), and does not tell how far it
              ///< is
    hello,    ///< the login shell runs the command there; the relay has not greeted
    push,     ///< launch itself is sent there
    greeted,  ///< the relay runs
};
inline constexpr size_t start_stages = 8;

/// When the start of one host's relay came to which stage. Whoever works on it says so, from any
/// thread, also one that nobody waits for any more.
class StartClock {
  public:
    using Time = Clock::time_point;

    /// Dialling again is no new stage; any other begins anew when it is tried again.
    void enter(StartStage stage) noexcept {
        const auto now = Clock::now().time_since_epoch().count();
        auto& began = began_[static_cast<size_t>(stage)];
        if (stage != StartStage::dial || began == 0) began = now;
        stage_ = stage;
    }
    StartStage stage() const noexcept { return stage_; }
    /// Nothing: it has not come there.
    std::optional<Time> began(StartStage stage) const noexcept {
        const auto began = began_[static_cast<size_t>(stage)].load();
        if (began == 0) return std::nullopt;
        return Time(Clock::duration(began));
    }

  private:
    std::atomic<StartStage> stage_{StartStage::queued};
    std::array<std::atomic<Clock::rep>, start_stages> began_{};
};

}  // namespace launch
