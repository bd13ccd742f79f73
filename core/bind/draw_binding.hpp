// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/bind/machine.hpp"

namespace launch {

/// "[BB/..][../..]": a socket in brackets, its cores between slashes, and for each of a core's
/// hardware threads B (bound to), . (not), - (not to be used by this job).
std::string draw_binding(const Machine& machine, const CpuSet& bound);

/// "rank 3 is bound to CPUs 4-5 [../BB]", or that it is not.
std::string binding_text(uint32_t rank, const Machine& machine, const CpuSet& bound);

}  // namespace launch
