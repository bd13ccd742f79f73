// SPDX-License-Identifier: MIT
#include "core/job/fold_ranks.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(FoldRanks, names_those_of_a_job_and_those_that_were_spawned) {
    EXPECT_EQ(fold_ranks({7}), "rank 7");
    EXPECT_EQ(fold_ranks({3, 0, 1, 2, 9}), "ranks 0-3,9");
    EXPECT_EQ(fold_ranks({7}, 1), "rank 1.7");
    EXPECT_EQ(fold_ranks({3, 0, 1, 2, 9}, 12), "ranks 12.[0-3,9]");
    EXPECT_EQ(rank_name(7, 0), "7");
    EXPECT_EQ(rank_name(7, 2), "2.7");
}

}  // namespace
}  // namespace launch
