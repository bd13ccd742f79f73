// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace launch {

/// A numeric address of this machine, and the network interface that has it.
struct InterfaceAddress {
    std::string interface;
    std::string address;
};

/// All of this machine, those of the loopback included.
std::vector<InterfaceAddress> interface_addresses();

/// The interface that has the numeric address, however that is written; empty: none has. Pure.
std::string interface_with(const std::string& address, const std::vector<InterfaceAddress>& all);

/// The own address from which packets to that address are sent; empty: unknown. No packet is sent.
std::string own_address_towards(const std::string& address);

}  // namespace launch
