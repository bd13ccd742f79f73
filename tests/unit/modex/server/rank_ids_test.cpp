// SPDX-License-Identifier: MIT
#include "modex/server/rank_ids.hpp"

#include <gtest/gtest.h>
#include <set>

namespace launch {
namespace {

TEST(RankIds, are_random_and_fit_atoi) {
    std::set<uint32_t> seen;
    for (int job = 0; job < 10; ++job) {
        RankIds ids;
        for (uint32_t rank = 0; rank < 100; ++rank)
            seen.insert(ids.add(rank));
    }
    EXPECT_GT(seen.size(), 990u);
    EXPECT_GT(*seen.begin(), 0u);
    EXPECT_LE(*seen.rbegin(), uint32_t{INT32_MAX});
    EXPECT_GT(*seen.rbegin(), uint32_t{INT32_MAX} / 2);
}

TEST(RankIds, name_the_rank_until_it_is_removed) {
    RankIds ids;
    const uint32_t one = ids.add(1);
    const uint32_t two = ids.add(2);
    EXPECT_EQ(ids.find(one), 1u);
    EXPECT_EQ(ids.find(two), 2u);
    ids.remove(1);
    EXPECT_EQ(ids.find(one), std::nullopt);
    EXPECT_EQ(ids.find(two), 2u);
    EXPECT_EQ(ids.find(0), std::nullopt);
    EXPECT_EQ(ids.size(), 1u);
}

}  // namespace
}  // namespace launch
