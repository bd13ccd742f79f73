// SPDX-License-Identifier: MIT
#include "core/base/interfaces.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <ifaddrs.h>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <optional>
#include <sys/socket.h>

#include "core/base/fd.hpp"

namespace launch {
namespace {

/// As 16 bytes, one of IPv4 as it is mapped into IPv6: "::ffff:10.0.0.1" is 10.0.0.1.
std::optional<in6_addr> bytes_of(std::string text) {
    text.erase(std::min(text.find('%'), text.size()));  // the interface of a link-local one
    in6_addr address{};
    if (inet_pton(AF_INET6, text.c_str(), &address) == 1) return address;
    if (inet_pton(AF_INET6, ("::ffff:" + text).c_str(), &address) == 1) return address;
    return std::nullopt;
}

std::string text_of(const sockaddr* address) {
    if (address == nullptr) return {};
    const bool v6 = address->sa_family == AF_INET6;
    if (!v6 && address->sa_family != AF_INET) return {};
    std::array<char, NI_MAXHOST> text{};
    const socklen_t size = v6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
    const int failed =
        getnameinfo(address, size, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST);
    return failed == 0 ? text.data() : "";
}

}  // namespace

std::vector<InterfaceAddress> interface_addresses() {
    ifaddrs* list = nullptr;
    if (getifaddrs(&list) != 0) return {};
    const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(list, &freeifaddrs);
    std::vector<InterfaceAddress> all;
    for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next)
        if (auto text = text_of(entry->ifa_addr); !text.empty())
            all.push_back({entry->ifa_name, std::move(text)});
    return all;
}

std::string interface_with(const std::string& address, const std::vector<InterfaceAddress>& all) {
    const auto wanted = bytes_of(address);
    if (!wanted) return {};
    const auto found = std::find_if(all.begin(), all.end(), [&](const InterfaceAddress& each) {
        const auto bytes = bytes_of(each.address);
        return bytes && std::equal(std::begin(bytes->s6_addr), std::end(bytes->s6_addr),
                                   std::begin(wanted->s6_addr));
    });
    return found == all.end() ? std::string() : found->interface;
}

std::string own_address_towards(const std::string& address) {
    addrinfo hints{};
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
    hints.ai_socktype = SOCK_DGRAM;
    addrinfo* list = nullptr;
    if (getaddrinfo(address.c_str(), "9", &hints, &list) != 0) return {};
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(list, &freeaddrinfo);
    const UniqueFd way(socket(list->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (!way || connect(way.get(), list->ai_addr, list->ai_addrlen) != 0) return {};
    sockaddr_storage own{};
    socklen_t size = sizeof own;
    auto* const named = reinterpret_cast<sockaddr*>(&own);
    return getsockname(way.get(), named, &size) == 0 ? text_of(named) : "";
}

}  // namespace launch
