// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace launch {

/// The resources that this process has used so far, without its children.
struct Usage {
    uint64_t private_kib = 0;       ///< now, of pages that no other process has
    uint64_t proportional_kib = 0;  ///< now, of shared pages the share that falls to it, too
    uint64_t resident_kib = 0;      ///< at most, with the pages of program and libraries
    uint64_t cpu_us = 0;
};
Usage own_usage();

}  // namespace launch
