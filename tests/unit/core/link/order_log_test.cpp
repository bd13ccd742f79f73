#include "core/link/order_log.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(OrderLog, takes_each_order_once) {
    OrderLog log;
    EXPECT_TRUE(log.take(FrameType::signal, {1, 10}));
    EXPECT_FALSE(log.take(FrameType::signal, {1, 10})) << "from another parent";
    EXPECT_TRUE(log.take(FrameType::terminate, {3, 500})) << "one was missed for good";
    EXPECT_FALSE(log.take(FrameType::signal, {2, 12})) << "too late";
    EXPECT_EQ(log.last(), 3U);
    ASSERT_EQ(log.entries().size(), 2U);
    EXPECT_EQ(log.entries().back().type, FrameType::terminate);
    EXPECT_EQ(log.entries().back().order.value, 500U);
}

TEST(OrderLog, stays_small_under_signals_without_end) {
    OrderLog log;
    for (uint64_t number = 1; number <= 10'000; ++number)
        EXPECT_TRUE(log.take(FrameType::signal, {number, 10}));
    EXPECT_LE(log.entries().size(), 256U);
    EXPECT_EQ(log.entries().back().order.number, 10'000U);
}

}  // namespace
}  // namespace launch
