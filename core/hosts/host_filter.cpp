#include "core/hosts/host_filter.hpp"

#include <utility>

namespace launch {

HostFilter::HostFilter(std::vector<Host> unwanted) {
    for (Host& host : unwanted) {
        std::string name = host.name;
        unwanted_.emplace(std::move(name), Unwanted{std::move(host)});
    }
}

bool HostFilter::takes(const Host& host) {
    bool taken = false;
    const auto [first, last] = unwanted_.equal_range(host.name);
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
    for (const auto& [name, unwanted] : unwanted_)
        if (!unwanted.matched) names.push_back(name);
    return names;
}

}  // namespace launch
