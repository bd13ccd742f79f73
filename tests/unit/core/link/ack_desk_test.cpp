// SPDX-License-Identifier: MIT
#include "core/link/ack_desk.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

/// Report of so many bytes until it is time to confirm.
size_t reports_until_acknowledged(AckDesk& desk, NodeIndex origin, size_t bytes) {
    size_t count = 1;
    while (!desk.took(origin, bytes))
        ++count;
    return count;
}

TEST(AckDesk, confirms_before_what_is_kept_at_the_origin_becomes_much) {
    constexpr size_t kept_there = 512u << 10;
    AckDesk desk(1, kept_there);
    for (const size_t bytes : {size_t{0}, size_t{80}, size_t{4096}, size_t{64} << 10}) {
        const size_t count = reports_until_acknowledged(desk, 2, bytes);
        EXPECT_LE(count * bytes, kept_there / 2) << bytes;
        EXPECT_GT(count, 1U) << bytes << ": not each";
        EXPECT_EQ(reports_until_acknowledged(desk, 2, bytes), count) << "from the start again";
    }
}

TEST(AckDesk, confirms_each_report_at_the_end) {
    AckDesk desk(1);
    desk.finish();
    EXPECT_TRUE(desk.took(2, 0));
    EXPECT_TRUE(desk.took(2, 0));
}

TEST(AckDesk, counts_a_node_that_joins_later) {
    AckDesk desk(1);
    EXPECT_FALSE(desk.took(400, 0));
    EXPECT_TRUE(desk.took(400, 1u << 20));
}

TEST(AckDesk, counts_each_origin_alone) {
    AckDesk desk(1);
    const size_t count = reports_until_acknowledged(desk, 3, 1000);
    for (size_t i = 1; i < count; ++i)
        EXPECT_FALSE(desk.took(1, 1000));
    EXPECT_FALSE(desk.took(3, 1000));
    EXPECT_TRUE(desk.took(1, 1000));
}

}  // namespace
}  // namespace launch
