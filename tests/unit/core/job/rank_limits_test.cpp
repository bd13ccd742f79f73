// SPDX-License-Identifier: MIT
#include "core/job/rank_limits.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

using Limits = std::vector<SoftLimit>;

TEST(RankLimits, AreThoseAskedForAsFarAsTheHostAllows) {
    HostLimits host;
    host.fill({.soft = 100, .hard = 1000});
    struct {
        const char* row;
        SoftLimit asked;
        uint64_t given;
        bool cut;
    } rows[] = {
        {"less than the host's own", {Resource::stack, 50}, 50, false},
        {"more", {Resource::stack, 500}, 500, false},
        {"as much as may be", {Resource::stack, 1000}, 1000, false},
        {"too much", {Resource::open_files, 1001}, 1000, true},
        {"no limit", {Resource::core_file, unlimited}, 1000, true},
        {"none at all", {Resource::core_file, 0}, 0, false},
        {"locked memory is not lowered", {Resource::locked_memory, 50}, 100, false},
        {"but raised", {Resource::locked_memory, 500}, 500, false},
        {"as far as may be", {Resource::locked_memory, 5000}, 1000, true},
    };
    for (const auto& row : rows) {
        const FittedLimits fitted = fit_limits({row.asked}, host);
        EXPECT_EQ(fitted.soft, (Limits{{row.asked.resource, row.given}})) << row.row;
        EXPECT_EQ(fitted.cut, row.cut ? Limits{row.asked} : Limits{}) << row.row;
    }
    EXPECT_TRUE(fit_limits({}, host).soft.empty());
}

TEST(RankLimits, AreSetWhereTheStarterHasOthers) {
    HostLimits own;
    own.fill({.soft = 100, .hard = 1000});
    own[static_cast<size_t>(Resource::core_file)].soft = unlimited;
    const Limits asked = {{Resource::stack, 100},
                          {Resource::open_files, 1000},
                          {Resource::core_file, 100},
                          {Resource::core_file, unlimited}};
    EXPECT_EQ(other_than(own, asked),
              (Limits{{Resource::open_files, 1000}, {Resource::core_file, 100}}));
}

}  // namespace
}  // namespace launch
