// SPDX-License-Identifier: MIT
#include "core/wire/route_messages.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(RouteMessages, come_back) {
    const std::string key(public_key_size, '\xfe');
    const ContactsMessage contacts{
        {{0, "10.0.0.1", 0}, {900, "fe80::1", 65535, key}, {901, "", 0}}};
    const auto again = ContactsMessage::decode(contacts.encode());
    ASSERT_TRUE(again);
    EXPECT_EQ(again->contacts, contacts.contacts);
    const RoutesMessage routes{
        {{{0, "", 0}, "head"}, {{4, "::1", 1}, "n4", 2}, {{3, "10.1.2.3", 2}, "n3"}}};
    const auto routes_again = RoutesMessage::decode(routes.encode());
    ASSERT_TRUE(routes_again);
    EXPECT_EQ(routes_again->stops, routes.stops);
    const auto routed = RoutedMessage::decode(RoutedMessage{7, 3, 2, "refused"}.encode());
    ASSERT_TRUE(routed);
    EXPECT_EQ(routed->node, 7U);
    EXPECT_EQ(routed->parent, 3U);
    EXPECT_EQ(routed->wanted, 2U);
    EXPECT_EQ(routed->cause, "refused");
}

TEST(RouteMessages, what_is_cut_off_or_goes_on_is_malformed) {
    const std::string contacts = ContactsMessage{{{1, "10.0.0.1", 9}}}.encode();
    const std::string routes = RoutesMessage{{{{1, "10.0.0.1", 9}, "n1", 1}}}.encode();
    const std::string routed = RoutedMessage{1, 2, 3, "x"}.encode();
    for (size_t size = 0; size < contacts.size(); ++size)
        EXPECT_FALSE(ContactsMessage::decode(contacts.substr(0, size)));
    for (size_t size = 0; size < routes.size(); ++size)
        EXPECT_FALSE(RoutesMessage::decode(routes.substr(0, size)));
    for (size_t size = 0; size < routed.size(); ++size)
        EXPECT_FALSE(RoutedMessage::decode(routed.substr(0, size)));
    EXPECT_FALSE(ContactsMessage::decode(contacts + "x"));
    EXPECT_FALSE(RoutesMessage::decode(routes + "x"));
    EXPECT_FALSE(RoutedMessage::decode(routed + "x"));
}

TEST(RouteMessages, as_many_hosts_as_contacts) {
    const RoutesMessage two{{{{1, "a", 9}, "n1"}, {{2, "a", 9}, "n2"}}};
    std::string bytes = two.encode();
    const size_t at = bytes.find("n[1-2]");
    ASSERT_NE(at, std::string::npos);
    bytes.replace(at, 6, "n[1-3]");
    EXPECT_FALSE(RoutesMessage::decode(bytes));
}

}  // namespace
}  // namespace launch
