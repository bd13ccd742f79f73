// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <random>

#include "core/base/random.hpp"

namespace launch {

/// The kernel's random numbers, in the form that the standard library's distributions want.
struct KernelRandom {
    using result_type = uint32_t;
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
    result_type operator()() const { return random_number(); }
};

/// Which of so many callers that have proved nothing gives way to a new one: any of them, each as
/// likely as the others. Were it the oldest, whoever calls often enough would shut out with
/// certainty a relay that needs a moment to prove itself; so it has its chance each time, and calls
/// again.
template <class Random>
size_t choose_victim(size_t count, Random&& random) {
    return std::uniform_int_distribution<size_t>(0, count - 1)(random);
}

}  // namespace launch
