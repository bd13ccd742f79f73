// SPDX-License-Identifier: MIT
#include "core/tree/contact_gather.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

using Contacts = std::vector<Contact>;

Contact at(NodeIndex node, uint16_t port = 7) {
    return {node, "10.0.0." + std::to_string(node), port};
}

TEST(ContactGather, a_leaf_tells_its_own_at_once) {
    ContactGather gather(5, 1);
    gather.add({at(5)});
    EXPECT_TRUE(gather.complete());
    EXPECT_EQ(gather.take(), (Contacts{at(5)}));
    EXPECT_EQ(gather.take(), Contacts{});
}

TEST(ContactGather, all_of_a_block_go_in_one_message) {
    ContactGather gather(4, 4);
    gather.add({at(4)});
    gather.add({at(7)});
    EXPECT_EQ(gather.take(), Contacts{});
    gather.add({at(5), at(6)});
    EXPECT_EQ(gather.take(), (Contacts{at(4), at(5), at(6), at(7)}));
}

TEST(ContactGather, what_may_be_lost_goes_again_from_a_node_on) {
    ContactGather gather(4, 2);
    gather.add({at(4), at(5)});
    gather.add({at(9), at(12)});  // they joined below it
    gather.take();
    gather.resend(9);
    EXPECT_EQ(gather.take(), (Contacts{at(9), at(12)}));
    gather.resend();
    EXPECT_EQ(gather.take(), (Contacts{at(4), at(5), at(9), at(12)}));
}

TEST(ContactGather, who_will_not_come_is_not_waited_for) {
    ContactGather gather(1, 4);
    gather.add({at(1)});
    gather.missing({2, 1});
    gather.missing({2, 1});
    EXPECT_FALSE(gather.complete());
    gather.missing({3, 100});
    gather.missing({UINT32_MAX, 3});
    EXPECT_EQ(gather.take(), (Contacts{at(1)}));
    gather.add({at(3)});  // it was only slow
    EXPECT_EQ(gather.take(), (Contacts{at(3)}));
}

TEST(ContactGather, of_those_that_are_gone_nothing_goes_again) {
    ContactGather gather(4, 2);
    gather.add({at(4), at(5), at(9), at(10), at(12)});
    gather.take();
    gather.add({at(12, 8)});
    gather.forget({9, 1});
    gather.forget({11, 7});
    EXPECT_EQ(gather.take(), Contacts{});
    gather.resend(9);
    EXPECT_EQ(gather.take(), (Contacts{at(10)}));
    EXPECT_EQ(gather.find(9), nullptr);
}

TEST(ContactGather, a_new_parent_is_told_all_and_nobody_the_same_twice) {
    ContactGather gather(1, 2);
    gather.add({at(1), at(2)});
    EXPECT_EQ(gather.take().size(), 2U);
    gather.add({at(2)});
    EXPECT_EQ(gather.take(), Contacts{});
    gather.resend();
    EXPECT_EQ(gather.take(), (Contacts{at(1), at(2)}));
    gather.add({at(2, 8)});
    EXPECT_EQ(gather.take(), (Contacts{at(2, 8)}));
}

TEST(ContactGather, the_first_child_that_knows_the_heads_address_tells_it) {
    ContactGather gather(0, 2);
    gather.add({at(0), at(1)});
    gather.add({{0, "192.168.0.1", 0}});
    ASSERT_NE(gather.find(0), nullptr);
    EXPECT_EQ(*gather.find(0), at(0));
    EXPECT_EQ(gather.find(3), nullptr);
}

}  // namespace
}  // namespace launch
