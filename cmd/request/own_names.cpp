#include "cmd/request/own_names.hpp"

#include <algorithm>
#include <array>

#include "core/base/lower.hpp"

namespace launch {
namespace {

/// By RFC 6761 and by every machine's /etc/hosts.
constexpr auto loopback_names =
    std::to_array<std::string_view>({"localhost", "localhost.localdomain", "127.0.0.1", "::1"});

bool is_here(const Host& host, std::string_view own_host) {
    if (!host.user.empty() || host.port != 0) return false;
    const std::string name = lower(host.name);
    const std::string own = lower(std::string(own_host));
    const bool loopback =
        std::find(loopback_names.begin(), loopback_names.end(), name) != loopback_names.end();
    // NAME.DOMAIN may be another machine of that name, where this one does not say its domain.
    return loopback || name == own || name == own.substr(0, own.find('.'));
}

}  // namespace

bool same_machine(std::string_view a, std::string_view b) {
    return a == b || a.substr(0, a.find('.')) == b || a == b.substr(0, b.find('.'));
}

bool all_are_here(const std::vector<Host>& hosts, std::string_view own_host) {
    return !hosts.empty() && std::all_of(hosts.begin(), hosts.end(),
                                         [&](const Host& host) { return is_here(host, own_host); });
}

}  // namespace launch
