#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace launch {

/// "rank 7", "ranks 0-3,9".
std::string fold_ranks(std::vector<uint32_t> ranks);

/// The same, or how many where that would be a long list.
std::string short_fold(const std::vector<uint32_t>& ranks);

}  // namespace launch
