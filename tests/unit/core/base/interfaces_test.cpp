// SPDX-License-Identifier: MIT
#include "core/base/interfaces.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

const std::vector<InterfaceAddress> machine{
    {"lo", "127.0.0.1"},       {"eth0", "10.1.2.3"},     {"ib0", "10.2.0.3"},      {"lo", "::1"},
    {"eth0", "2001:db8::1:0"}, {"eth0", "fe80::1%eth0"}, {"eth10", "192.168.0.1"},
};

TEST(Interfaces, AreKnownByTheirAddresses) {
    const std::vector<std::pair<std::string, std::string>> rows{
        {"10.1.2.3", "eth0"},
        {"10.2.0.3", "ib0"},
        {"::ffff:10.2.0.3", "ib0"},  // an IPv6 socket that was reached by IPv4
        {"192.168.0.1", "eth10"},
        {"127.0.0.1", "lo"},
        {"::1", "lo"},
        {"2001:0db8:0::0001:0", "eth0"},
        {"fe80::1%eth0", "eth0"},
        {"10.1.2.4", ""},
        {"2001:db8::2", ""},
        {"node001", ""},
        {"", ""},
    };
    for (const auto& [address, interface] : rows)
        EXPECT_EQ(interface_with(address, machine), interface) << address;
}

TEST(Interfaces, OfThisMachineHaveTheLoopback) {
    EXPECT_EQ(interface_with("127.0.0.1", interface_addresses()), "lo");
    EXPECT_EQ(own_address_towards("127.0.0.1"), "127.0.0.1");
    EXPECT_EQ(own_address_towards("localhost"), "") << "it looks up no name";
}

}  // namespace
}  // namespace launch
