// SPDX-License-Identifier: MIT
#pragma once

#include "tests/unit/core/harness/network.hpp"
#include "tests/unit/core/harness/scripted_rank.hpp"

namespace launch {

/// The ranks of all jobs in the network follow the book, which outlives them, and exchange cards as
/// those of the product do.
void follow_scripts(Network& network, RankBook& book);

}  // namespace launch
