// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>

namespace launch {

/// A time limit in the words of a message: "10 s", "0.2 s".
std::string in_seconds(std::chrono::milliseconds time);

}  // namespace launch
