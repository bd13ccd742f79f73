// SPDX-License-Identifier: MIT
#include "core/base/take.hpp"

#include <gtest/gtest.h>
#include <memory>

namespace launch {
namespace {

TEST(TakeUnless, parts_in_order) {
    std::vector<std::unique_ptr<int>> items;
    for (int i = 1; i <= 6; ++i)
        items.push_back(std::make_unique<int>(i));
    const auto taken = take_unless(items, [](const auto& item) { return *item % 3 == 0; });
    const auto values = [](const auto& of) {
        std::vector<int> all;
        for (const auto& item : of)
            all.push_back(*item);
        return all;
    };
    EXPECT_EQ(values(taken), (std::vector{1, 2, 4, 5}));
    EXPECT_EQ(values(items), (std::vector{3, 6}));
}

TEST(TakeUnless, all_or_none) {
    std::vector<int> items{1, 2};
    EXPECT_TRUE(take_unless(items, [](int) { return true; }).empty());
    EXPECT_EQ(items, (std::vector{1, 2}));
    EXPECT_EQ(take_unless(items, [](int) { return false; }), (std::vector{1, 2}));
    EXPECT_TRUE(items.empty());
}

}  // namespace
}  // namespace launch
