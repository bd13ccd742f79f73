#pragma once

#include <cstdint>

namespace launch {

/// How many CPUs of this host this process, and what it starts, may use: those of its affinity,
/// which a container, a batch system or taskset(1) may have narrowed. At least one.
uint32_t usable_cpus();

}  // namespace launch
