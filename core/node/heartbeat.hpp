#pragma once

#include "core/async/event.hpp"
#include "core/job/job_spec.hpp"

namespace launch {

/// The clock of liveness. Silence of a peer is counted in beats, four to the limit that the user
/// gave; a peer is dead after three silent beats, so at the latest when the limit has passed.
/// While the tree still grows hosts are busy, and patience is four times as long.
class Heartbeat {
  public:
    static int limit(bool starting) { return starting ? 12 : 3; }

    explicit Heartbeat(milliseconds liveness)
        : interval_(liveness / 4), next_(Clock::now() + interval_) {}

    bool enabled() const { return interval_.count() > 0; }
    Clock::time_point next() const { return next_; }
    bool due() const { return Clock::now() >= next_; }

    /// Takes the beat that is due. False: it comes late, because this process was stopped or
    /// starved, so it says nothing about anybody else.
    bool take() {
        const auto now = Clock::now();
        const bool on_time = now - next_ < interval_ / 2;
        next_ = now + interval_;
        return on_time;
    }

  private:
    Clock::duration interval_;
    Clock::time_point next_;
};

}  // namespace launch
