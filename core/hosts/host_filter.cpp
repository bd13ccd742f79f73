// SPDX-License-Identifier: MIT
#include "core/hosts/host_filter.hpp"

#include <utility>

#include "core/hosts/this_machine.hpp"

namespace launch {

HostFilter::HostFilter(std::vector<Host> unwanted, std::vector<std::string> own_names)
    : own_names_(std::move(own_names)) {
    for (Host& host : unwanted) {
        std::string key = key_of(host);
        unwanted_.emplace(std::move(key), Unwanted{std::move(host)});
    }
}

const std::string& HostFilter::key_of(const Host& host) const {
    Host of_anybody;
    of_anybody.name = host.name;
    return is_this_machine(of_anybody, own_names_) ? own_names_.front() : host.name;
}

bool HostFilter::takes(const Host& host) {
    bool taken = false;
    const auto [first, last] = unwanted_.equal_range(key_of(host));
    for (auto entry = first; entry != last; ++entry) {
        auto& [meant, matched] = entry->second;
        const bool same_user = meant.user.empty() || meant.user == host.user;
        const bool same_port = meant.port == 0 || meant.port == host.port;
        if (!same_user || !same_port) continue;
        matched = true;
        taken = true;
    }
    return taken;
}

void HostFilter::apply(std::vector<Host>& hosts) {
    std::erase_if(hosts, [this](const Host& host) { return takes(host); });
}

std::vector<std::string> HostFilter::unmatched() const {
    std::vector<std::string> names;
    for (const auto& [key, unwanted] : unwanted_)
        if (!unwanted.matched) names.push_back(unwanted.host.name);
    return names;
}

}  // namespace launch
