#pragma once

#include <chrono>

namespace launch {

/// What the head does about a signal it got. Sans I/O: told the signal and the time.
class SignalPolicy {
  public:
    enum class Action {
        ignore,           ///< the same key press, delivered twice
        forward,          ///< the same signal to every rank
        forward_and_end,  ///< and the kill grace begins
        kill,             ///< the user insists
        stop,             ///< forward, then stop this process too
    };

    Action decide(int signal, std::chrono::steady_clock::time_point now);

  private:
    int last_ = 0;
    std::chrono::steady_clock::time_point last_at_{};
    bool interrupted_ = false;
};

}  // namespace launch
