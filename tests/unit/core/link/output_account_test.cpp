// SPDX-License-Identifier: MIT
#include "core/link/output_account.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(OutputAccount, has_room_until_a_window_is_on_its_way) {
    const struct {
        uint64_t window;
        uint64_t sent;
        uint64_t read;
        bool has_room;
    } cases[] = {
        {100, 0, 0, true},     {100, 99, 0, true},   {100, 100, 0, false},
        {100, 150, 50, false}, {100, 150, 51, true}, {100, 150, OutputAccount::all, true},
        {100, 150, 150, true}, {0, 0, 0, true},      {0, 1ull << 40, 0, true},
    };
    for (const auto& [window, sent, read, has_room] : cases) {
        OutputAccount account(window);
        account.sent(sent);
        account.read(read);
        EXPECT_EQ(account.has_room(), has_room) << window << ", " << sent << ", " << read;
    }
}

TEST(OutputAccount, knows_whether_all_was_read) {
    OutputAccount account(100);
    EXPECT_FALSE(account.is_unread());
    account.sent(10);
    EXPECT_TRUE(account.is_unread());
    account.read(10);
    EXPECT_FALSE(account.is_unread());
    OutputAccount without_window(0);
    without_window.sent(10);
    EXPECT_FALSE(without_window.is_unread()) << "nobody tells it";
}

TEST(OutputAccount, a_smaller_number_that_comes_late_changes_nothing) {
    OutputAccount account(100);
    account.sent(200);
    account.read(150);
    account.read(20);
    EXPECT_TRUE(account.has_room());
}

}  // namespace
}  // namespace launch
