// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "core/job/placement.hpp"

namespace launch {

/// The ranks of the hosts first..last in words: "rank 0", "ranks 1-28", "ranks 1-3, 11-13"; where
/// they make no short list, their number.
std::string ranks_of(const Placement& placement, size_t first, size_t last);

}  // namespace launch
