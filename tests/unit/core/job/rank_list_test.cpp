// SPDX-License-Identifier: MIT
#include "core/job/rank_list.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

using Runs = std::vector<RankRun>;

TEST(RankList, is_read_as_users_write_it) {
    const struct {
        const char* text;
        std::optional<Runs> runs;
    } rows[] = {
        {"7", Runs{{7, 1, 1}}},
        {"0-3,7", Runs{{0, 4, 1}, {7, 1, 1}}},
        {"5,2-2", Runs{{5, 1, 1}, {2, 1, 1}}},
        {"0-4294967294", Runs{{0, 4294967295, 1}}},
        {"", {}},
        {"1,", {}},
        {",1", {}},
        {"3-1", {}},
        {"-1", {}},
        {"1-", {}},
        {"0-4294967295", {}},
        {"0x1", {}},
        {" 1", {}},
        {"1.0", {}},
        {"all", {}},
    };
    for (const auto& row : rows)
        EXPECT_EQ(read_ranks(row.text), row.runs) << row.text;
}

TEST(RankList, knows_who_is_in_it) {
    const Runs runs{{0, 4, 1}, {7, 1, 1}, {10, 3, 5}};
    std::vector<uint32_t> in;
    for (uint32_t rank = 0; rank < 30; ++rank)
        if (has_rank(runs, rank)) in.push_back(rank);
    EXPECT_EQ(in, (std::vector<uint32_t>{0, 1, 2, 3, 7, 10, 15, 20}));
    EXPECT_FALSE(has_rank({}, 0));
}

TEST(RankList, knows_the_first_that_a_job_has_not) {
    const struct {
        const char* text;
        uint32_t ranks;
        std::optional<uint32_t> beyond;
    } rows[] = {{"0-3,7", 8, {}},
                {"0-3,7", 7, 7},
                {"0-3,7", 2, 2},
                {"9,0", 4, 9},
                {"0-3", 4, {}},
                {"0-3", 3, 3},
                {"0-4294967294", 4294967294, 4294967294}};
    for (const auto& row : rows)
        EXPECT_EQ(first_beyond(*read_ranks(row.text), row.ranks), row.beyond) << row.text;
    EXPECT_EQ(first_beyond({{1, 3, 4}}, 9), std::optional<uint32_t>(9));
    EXPECT_EQ(first_beyond({{1, 3, 4}}, 10), std::nullopt);
}

}  // namespace
}  // namespace launch
