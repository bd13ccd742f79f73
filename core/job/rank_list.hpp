// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "core/job/placement.hpp"

namespace launch {

/// Ranks as a user names them, "0-3,7": each part a run, in the order in which they were written.
/// Nothing: it is no such list.
std::optional<std::vector<RankRun>> read_ranks(std::string_view text);

/// Runs of stride 1, in order.
std::vector<RankRun> runs_of(const std::set<uint32_t>& ranks);

bool has_rank(const std::vector<RankRun>& runs, uint32_t rank);

/// The first rank of the list that a job of so many ranks has not.
std::optional<uint32_t> first_beyond(const std::vector<RankRun>& runs, uint32_t ranks);

}  // namespace launch
