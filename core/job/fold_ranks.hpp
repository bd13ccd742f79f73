// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace launch {

/// "0-3,9".
std::string fold_numbers(std::vector<uint32_t> numbers);

/// "rank 7", "ranks 0-3,9"; of processes that a rank asked for "rank 1.7", "ranks 1.[0-3,9]".
std::string fold_ranks(std::vector<uint32_t> ranks, uint32_t space = 0);

/// "7", and of processes that a rank asked for "1.7".
std::string rank_name(uint32_t rank, uint32_t space);

/// The text of fold_ranks(), or the number of ranks if that would be a long list.
std::string short_fold(const std::vector<uint32_t>& ranks, uint32_t space = 0);

}  // namespace launch
