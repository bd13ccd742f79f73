// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/head/outcome.hpp"

namespace launch {

/// --stats text: sums, and the node with the most of each.
std::vector<std::string> stats_lines(const JobStats& stats);

/// Raised when a key changes its meaning or goes; one that only comes is no new version.
inline constexpr uint64_t stats_version = 1;

/// --stats json: one line, everything of every node. Times are in microseconds.
std::string stats_json(const JobStats& stats);

}  // namespace launch
