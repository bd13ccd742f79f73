// SPDX-License-Identifier: MIT
#pragma once

#include "core/async/event.hpp"
#include "core/base/boot_clock.hpp"
#include "core/link/patience.hpp"

namespace launch {

/// The clock of liveness: it beats patience::beats times in the limit that the user gave.
class Heartbeat {
  public:
    /// One moment, by both clocks.
    struct Moment {
        Clock::time_point time;
        BootClock::time_point boot_time;

        static Moment now() { return {Clock::now(), BootClock::now()}; }
        Moment operator+(std::chrono::nanoseconds span) const {
            return {time + span, boot_time + span};
        }
    };

    explicit Heartbeat(milliseconds liveness, Moment now = Moment::now())
        : interval_(liveness / patience::beats), next_(now + interval_) {}

    bool enabled() const { return interval_.count() > 0; }
    Clock::time_point next() const { return next_.time; }
    bool due(Moment now = Moment::now()) const { return now.time >= next_.time; }

    /// Takes the beat that is due. The result is how many beats late it is: then this process was
    /// suspended, its machine slept, or other processes had its time, and a silence in that time
    /// means nothing.
    int take(Moment now = Moment::now());
    /// This process was suspended for a reason that others know: the next beat is an interval from
    /// now.
    void restart(Moment now = Moment::now()) { next_ = now + interval_; }

    /// The longest time that this process was away of late, up to now where it still is.
    std::chrono::nanoseconds absence(Moment now = Moment::now()) const;
    std::chrono::nanoseconds time_of(int beats) const { return interval_ * beats; }

  private:
    std::chrono::nanoseconds lateness(Moment now) const { return now.boot_time - next_.boot_time; }

    std::chrono::nanoseconds interval_;
    Moment next_;
    std::chrono::nanoseconds longest_{0};
    int on_time_ = 0;  ///< beats since
};

/// For how many beats nothing was heard of a neighbour.
class Silence {
  public:
    /// `late`: see Heartbeat::take(). Where it was a machine that slept, what others said may be as
    /// long in coming: TCP tries again after pauses that grow with the silence.
    void beat(bool heard, int late);
    void excuse() { beats_ = excused_ = 0; }
    bool lasts(int limit) const { return beats_ >= limit; }

  private:
    int beats_ = 0;    ///< below 0: that many are borne beyond the limit
    int excused_ = 0;  ///< beats since the last word: patience::excused at most
};

}  // namespace launch
