#include "core/process/cpus.hpp"

#include <algorithm>
#include <array>
#include <sched.h>

namespace launch {

uint32_t usable_cpus() {
    std::array<cpu_set_t, 16> sets{};  // the call refuses a set smaller than the kernel's
    if (sched_getaffinity(0, sizeof sets, sets.data()) != 0) return 1;
    return static_cast<uint32_t>(std::max(CPU_COUNT_S(sizeof sets, sets.data()), 1));
}

}  // namespace launch
