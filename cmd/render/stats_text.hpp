// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/head/outcome.hpp"

namespace launch {

/// --stats text: sums, and the node with the most of each.
std::vector<std::string> stats_lines(const JobStats& stats);

/// Raised if a key is removed or changes its meaning.
inline constexpr uint64_t stats_version = 1;

/// Returns the costs of all nodes as JSON on one line: schemas/stats.json.
std::string stats_json(const JobStats& stats);

}  // namespace launch
