// SPDX-License-Identifier: MIT
#include "core/process/cpus.hpp"

#include <algorithm>
#include <array>
#include <sched.h>

namespace launch {

CpuSet own_cpus() {
    std::array<unsigned long, CpuSet::most / 8 / sizeof(unsigned long)> words{};
    // The call refuses a set smaller than the kernel's.
    auto* mask = reinterpret_cast<cpu_set_t*>(words.data());
    if (sched_getaffinity(0, sizeof words, mask) != 0) return {};
    return CpuSet::of_words(words);
}

uint32_t usable_cpus() {
    return static_cast<uint32_t>(std::max<std::size_t>(own_cpus().size(), 1));
}

}  // namespace launch
