// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include "tests/unit/core/harness/scripted_rank.hpp"

namespace launch {

/// The number of lines of each rank among the output that a user has got. Each line comes once, in
/// its turn, and only after the rank has written it: else `fault` says what is wrong.
struct ShownLines {
    ShownLines(const std::string& out, const RankBook& ranks);

    std::map<RankName, uint32_t> count;
    std::string fault;
};

std::string rank_name(const RankName& rank);

}  // namespace launch
