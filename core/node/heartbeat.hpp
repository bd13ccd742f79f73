#pragma once

#include "core/async/event.hpp"
#include "core/base/boot_clock.hpp"
#include "core/node/patience.hpp"

namespace launch {

/// The clock of liveness: it beats patience::beats times in the limit that the user gave.
class Heartbeat {
  public:
    explicit Heartbeat(milliseconds liveness) : interval_(liveness / patience::beats) { restart(); }

    bool enabled() const { return interval_.count() > 0; }
    Clock::time_point next() const { return next_; }
    bool due() const { return Clock::now() >= next_; }

    /// Takes the beat that is due. So many beats late: this process was away, as it was stopped,
    /// its machine slept, or others had its time. What nobody heard says nothing then.
    int take();
    /// Was away, but for a reason that others know: the next beat is an interval from now.
    void restart();

    /// The longest time that this process was away of late, up to now where it still is.
    std::chrono::nanoseconds absence() const;
    std::chrono::nanoseconds time_of(int beats) const { return interval_ * beats; }

  private:
    std::chrono::nanoseconds lateness() const { return BootClock::now() - due_; }

    std::chrono::nanoseconds interval_;
    Clock::time_point next_;
    BootClock::time_point due_;  ///< the same moment
    std::chrono::nanoseconds longest_{0};
    int on_time_ = 0;  ///< beats since
};

/// For how many beats nothing was heard of a neighbour.
class Silence {
  public:
    /// `late`: see Heartbeat::take(). Where it was a machine that slept, what others said may be as
    /// long in coming: TCP tries again after pauses that grow with the silence.
    void beat(bool heard, int late);
    void excuse() { beats_ = 0; }
    bool lasts(int limit) const { return beats_ >= limit; }

  private:
    int beats_ = 0;  ///< below 0: that many are borne beyond the limit
};

}  // namespace launch
