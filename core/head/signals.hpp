// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

#include "core/base/clock.hpp"
#include "core/job/exit_status.hpp"

namespace launch {

/// Decides what the head does with a signal. Sans I/O: the caller passes the signal and the time.
class SignalPolicy {
  public:
    enum class Action {
        ignore,           ///< the same key press, delivered twice
        forward,          ///< the same signal to every rank
        forward_and_end,  ///< and the kill grace begins
        kill,             ///< the user insists
        tell,             ///< how far the job is
        stop,             ///< forward, then stop this process too
    };

    Action decide(int signal, Clock::time_point now);

  private:
    int last_ = 0;
    Clock::time_point last_at_{};
    bool interrupted_ = false;
};

/// Ranks may handle a signal of the user as they like: a rank that fails because of it does not end
/// the others, which may be writing their results. Sans I/O: the caller passes the signals sent to
/// ranks, and how each rank ended.
class SignalAnswers {
  public:
    using Time = Clock::time_point;

    void sent(int signal, Time now);
    /// Until when the others may go on after a rank failed like this; Time::min(): that has
    /// nothing to do with a signal.
    Time spared_until(const ExitStatus& failed) const;
    /// Until when whatever fails may do so as the user wants the job to end, but the ranks to say
    /// how (^C); Time::min(): the user has not said so.
    Time interrupted_until() const { return interrupted_until_; }

  private:
    Time interrupted_until_ = Time::min();
    int request_ = 0;  ///< the latest that may mean anything, as SIGUSR1 does; 0: none yet
    Time requested_{};
};

}  // namespace launch
