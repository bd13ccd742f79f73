#include "core/node/heartbeat.hpp"

#include <algorithm>

namespace launch {

int Heartbeat::take() {
    const auto late = lateness();
    restart();
    if (late < interval_ / 2) {
        if (++on_time_ > patience::away_matters) longest_ = {};
        return 0;
    }
    on_time_ = 0;
    longest_ = std::max(longest_, late);
    return static_cast<int>(
        std::min<int64_t>((late + interval_ - Clock::duration{1}) / interval_, patience::head));
}

std::chrono::nanoseconds Heartbeat::absence() const {
    return enabled() ? std::max(longest_, lateness()) : longest_;
}

void Heartbeat::restart() {
    next_ = Clock::now() + interval_;
    due_ = BootClock::now() + interval_;
}

void Silence::beat(bool heard, int late) {
    if (late > 0)
        beats_ = -late;
    else if (heard)
        beats_ = std::min(beats_ + 1, 0);
    else
        ++beats_;
}

}  // namespace launch
