// SPDX-License-Identifier: MIT
#include "core/wire/growth_messages.hpp"

#include <gtest/gtest.h>

#include "core/base/codec.hpp"
#include "core/wire/tree_message.hpp"

namespace launch {
namespace {

TEST(GrowthMessages, new_nodes_come_back) {
    const GrowMessage message{9, {{"u", "n1", 22, 1}, {"", "n2", 0, 1}}};
    const auto bytes = message.encode();
    const auto back = GrowMessage::decode(bytes);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->first, 9U);
    EXPECT_EQ(back->hosts, message.hosts);
    for (size_t size = 0; size < bytes.size(); ++size)
        EXPECT_FALSE(GrowMessage::decode(bytes.substr(0, size))) << size;
}

TEST(GrowthMessages, no_more_nodes_come_than_a_tree_has) {
    const auto of = [](NodeIndex first, uint64_t count, const char* hosts) {
        return GrowMessage::decode(Encoder{}.number(first).number(count).text(hosts).take())
            .has_value();
    };
    EXPECT_TRUE(of(most_nodes - 2, 2, "n[1-2]"));
    EXPECT_FALSE(of(most_nodes - 1, 2, "n[1-2]"));
    EXPECT_FALSE(of(UINT32_MAX, 2, "n[1-2]"));
    EXPECT_FALSE(of(1, 2, "n[1-3]"));
    EXPECT_FALSE(of(1, 3, "n[1-2]"));
    EXPECT_FALSE(of(0, 2, "n[1-2]"));
    EXPECT_FALSE(of(1, 900'000, "n[1-900000]"));
}

TEST(GrowthMessages, who_leaves_comes_back) {
    const auto back = RemoveMessage::decode(RemoveMessage{{3, 7}, true}.encode());
    ASSERT_TRUE(back);
    EXPECT_EQ(back->nodes, (std::vector<NodeIndex>{3, 7}));
    EXPECT_TRUE(back->now);
    EXPECT_FALSE(RemoveMessage::decode("\x01"));
}

}  // namespace
}  // namespace launch
