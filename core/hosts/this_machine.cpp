#include "core/hosts/this_machine.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <ifaddrs.h>
#include <net/if.h>

#include "core/base/lower.hpp"

namespace launch {
namespace {

bool same_name(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return lower(x) == lower(y); });
}

/// By RFC 6761 and by every machine's /etc/hosts.
constexpr auto loopback_names =
    std::to_array<std::string_view>({"localhost", "localhost.localdomain", "127.0.0.1", "::1"});

std::string text_of(const sockaddr* address) {
    char text[INET6_ADDRSTRLEN] = "";
    const void* bytes = nullptr;
    if (address->sa_family == AF_INET)
        bytes = &reinterpret_cast<const sockaddr_in*>(address)->sin_addr;
    else if (address->sa_family == AF_INET6)
        bytes = &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr;
    if (bytes == nullptr || inet_ntop(address->sa_family, bytes, text, sizeof text) == nullptr)
        return {};
    return text;
}

/// Those of its network interfaces, as text; of the loopback none.
std::vector<std::string> own_addresses() {
    std::vector<std::string> addresses;
    ifaddrs* first = nullptr;
    if (getifaddrs(&first) != 0) return addresses;
    for (const ifaddrs* each = first; each != nullptr; each = each->ifa_next) {
        if (each->ifa_addr == nullptr || (each->ifa_flags & IFF_LOOPBACK) != 0) continue;
        std::string text = text_of(each->ifa_addr);
        if (!text.empty()) addresses.push_back(std::move(text));
    }
    freeifaddrs(first);
    return addresses;
}

}  // namespace

std::vector<std::string> names_of_machine(const std::string& host_name) {
    // NAME.DOMAIN may be another machine of that name, where this one does not say its domain.
    std::vector<std::string> names{host_name};
    const std::string first_label = host_name.substr(0, host_name.find('.'));
    if (first_label != host_name) names.push_back(first_label);
    names.insert(names.end(), loopback_names.begin(), loopback_names.end());
    const auto addresses = own_addresses();
    names.insert(names.end(), addresses.begin(), addresses.end());
    return names;
}

bool is_loopback_name(std::string_view name) {
    return std::any_of(loopback_names.begin(), loopback_names.end(),
                       [&](std::string_view each) { return same_name(each, name); });
}

bool is_this_machine(const Host& host, const std::vector<std::string>& names) {
    if (!host.user.empty() || host.port != 0) return false;
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return same_name(host.name, name); });
}

void rename_loopback(std::vector<Host>& hosts, const std::vector<std::string>& names,
                     const std::string& name) {
    for (Host& host : hosts)
        if (is_this_machine(host, names) && is_loopback_name(host.name)) host.name = name;
}

}  // namespace launch
