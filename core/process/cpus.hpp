// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/base/cpu_set.hpp"

namespace launch {

/// How many CPUs of this host this process, and what it starts, may use: those of its affinity,
/// which a container, a batch system or taskset(1) may have narrowed. At least one.
uint32_t usable_cpus();

/// Which; empty where the kernel does not tell.
CpuSet own_cpus();

}  // namespace launch
