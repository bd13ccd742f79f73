// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace launch {

/// A duration for people, rounded down: "0.42 s", "12.5 s", "119 s", "2 min 5 s", "3 h", "2 days".
std::string time_text(uint64_t microseconds);

}  // namespace launch
