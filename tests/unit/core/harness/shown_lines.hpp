// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>

#include "tests/unit/core/harness/played_user.hpp"
#include "tests/unit/core/harness/scripted_rank.hpp"

namespace launch {

/// The number of lines of each rank among the output that a user has got. Each line comes once, in
/// its turn, and only after the rank has written it, and all of it, unless the user was not waited
/// for to the end: else `fault` says what is wrong.
struct ShownLines {
    ShownLines(const PlayedUser& user, const RankBook& ranks);

    std::map<RankName, uint32_t> count;
    std::string fault;
};

/// The ranks of the job itself that the messages to a user name, as in "ranks 0-2,5 on n1", where
/// that is followed by `then`, a regular expression.
std::set<uint32_t> named_ranks(const std::string& messages, const std::string& then = {});

std::string rank_name(const RankName& rank);

}  // namespace launch
