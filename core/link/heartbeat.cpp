// SPDX-License-Identifier: MIT
#include "core/link/heartbeat.hpp"

#include <algorithm>

namespace launch {

int Heartbeat::take(Moment now) {
    const auto late = lateness(now);
    restart(now);
    if (late < interval_ / 2) {
        if (++on_time_ > patience::away_matters) longest_ = {};
        return 0;
    }
    on_time_ = 0;
    longest_ = std::max(longest_, late);
    return static_cast<int>(
        std::min<int64_t>((late + interval_ - Clock::duration{1}) / interval_, patience::head));
}

std::chrono::nanoseconds Heartbeat::absence(Moment now) const {
    return enabled() ? std::max(longest_, lateness(now)) : longest_;
}

void Silence::beat(bool heard, int late) {
    if (heard) excused_ = 0;
    beats_ = heard ? std::min(beats_ + 1, 0) : beats_ + 1;
    if (late <= 0) return;
    // All that was counted is forgotten, and so much more is borne. But a process that is late now
    // and then, on a machine with too much to do, is to give up a dead neighbour some time.
    const int excuse = std::clamp(beats_ + late, 0, patience::excused - excused_);
    beats_ -= excuse;
    excused_ += excuse;
}

}  // namespace launch
