// SPDX-License-Identifier: MIT
#include "core/run/node_share.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

uint64_t open_files(const HostLimits& limits) {
    return limits.at(static_cast<size_t>(Resource::open_files)).soft;
}

TEST(NodeShare, knows_the_limits_that_ranks_get_though_its_own_are_higher) {
    const HostLimits own = host_limits();
    const uint64_t hard = own.at(static_cast<size_t>(Resource::open_files)).hard;
    ASSERT_GT(hard, 256u);
    set_soft_limit({Resource::open_files, 256});
    asio::io_context io;
    const NodeShare share(io.get_executor());
    EXPECT_EQ(open_files(share.limits_before()), 256u);
    EXPECT_EQ(open_files(share.limits()), hard);
    EXPECT_EQ(open_files(host_limits()), hard);
    set_soft_limit({Resource::open_files, open_files(own)});
}

}  // namespace
}  // namespace launch
