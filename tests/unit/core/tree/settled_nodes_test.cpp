// SPDX-License-Identifier: MIT
#include "core/tree/settled_nodes.hpp"

#include <cstdint>
#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(SettledNodes, EachNodeCountsOnceHoweverOftenItIsTold) {
    SettledNodes nodes({4, 3});
    nodes.add({4, 1});
    nodes.add({5, 1});
    nodes.add({5, 1});
    nodes.add({4, 2});
    EXPECT_FALSE(nodes.all());
    nodes.add({6, 1});
    EXPECT_TRUE(nodes.all());
}

TEST(SettledNodes, ThoseOfAnotherBlockDoNotCount) {
    SettledNodes nodes({4, 2});
    nodes.add({0, 4});
    nodes.add({6, 100});
    nodes.add({UINT32_MAX, UINT32_MAX});
    nodes.add({5, 0});
    EXPECT_FALSE(nodes.all());
    nodes.add({3, 2});
    EXPECT_FALSE(nodes.all());
    nodes.add({5, UINT32_MAX});
    EXPECT_TRUE(nodes.all());
}

TEST(SettledNodes, OfNoBlockAllAreSettled) {
    EXPECT_TRUE(SettledNodes().all());
    SettledNodes nodes({1, 1000});
    EXPECT_FALSE(nodes.all());
    nodes.add_all();
    EXPECT_TRUE(nodes.all());
}

}  // namespace
}  // namespace launch
