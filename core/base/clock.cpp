// SPDX-License-Identifier: MIT
#include "core/base/clock.hpp"

#include <thread>

namespace launch {

void Clock::pause(duration limit) {
    if (simulated == nullptr)
        std::this_thread::sleep_for(limit);
    else
        *simulated += limit;
}

}  // namespace launch
