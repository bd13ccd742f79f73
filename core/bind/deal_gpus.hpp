// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/bind/machine.hpp"

namespace launch {

/// The variables by which each rank of a host sees its GPUs, by local rank, as NAME=VALUE:
/// CUDA_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES or ZE_AFFINITY_MASK, and where numbers could mean
/// other devices the variable that makes them count by PCI bus. A pure function: a rank gets those
/// that share most of its CPUs, `cpus`, of those that are left; not bound, the next ones.
///
/// Where `env` has such a variable already, as a scheduler sets it, only what that names is dealt.
/// With GpuChoice::automatic all are dealt evenly; of more ranks than GPUs several share one.
/// An error: there are too few.
Result<std::vector<std::vector<std::string>>> deal_gpus(const Machine& machine,
                                                        const GpuChoice& choice,
                                                        const std::vector<CpuSet>& cpus,
                                                        const std::vector<std::string>& env);

}  // namespace launch
