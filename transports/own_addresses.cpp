// SPDX-License-Identifier: MIT
#include "transports/own_addresses.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <ifaddrs.h>
#include <memory>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>

namespace launch {
namespace {

/// Empty: others cannot call it.
std::string text_of(const ifaddrs& entry) {
    const sockaddr* address = entry.ifa_addr;
    if (address == nullptr || (entry.ifa_flags & IFF_UP) == 0 ||
        (entry.ifa_flags & IFF_LOOPBACK) != 0)
        return {};
    const bool v6 = address->sa_family == AF_INET6;
    if (!v6 && address->sa_family != AF_INET) return {};
    std::array<char, NI_MAXHOST> text{};
    const socklen_t size = v6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
    const int failed =
        getnameinfo(address, size, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST);
    const std::string name = failed == 0 ? text.data() : "";
    return name.find('%') == std::string::npos ? name : std::string();  // link-local
}

}  // namespace

std::vector<std::string> own_addresses() {
    ifaddrs* list = nullptr;
    if (getifaddrs(&list) != 0) return {};
    const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(list, &freeifaddrs);
    std::vector<std::string> addresses;
    for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next)
        if (auto text = text_of(*entry); !text.empty()) addresses.push_back(std::move(text));
    std::stable_partition(addresses.begin(), addresses.end(), [](const std::string& address) {
        return address.find(':') == std::string::npos;
    });
    return addresses;
}

}  // namespace launch
