// SPDX-License-Identifier: MIT
#include "core/hosts/this_machine.hpp"

#include <algorithm>
#include <array>

#include "core/base/interfaces.hpp"
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

}  // namespace

std::vector<std::string> names_of_machine(const std::string& host_name) {
    // NAME.DOMAIN may be another machine of that name, where this one does not say its domain.
    std::vector<std::string> names{host_name};
    const std::string first_label = host_name.substr(0, host_name.find('.'));
    if (first_label != host_name) names.push_back(first_label);
    names.insert(names.end(), loopback_names.begin(), loopback_names.end());
    for (auto& each : interface_addresses())
        names.push_back(std::move(each.address));
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
