// SPDX-License-Identifier: MIT
#include "core/head/host_starts.hpp"

#include <array>

#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

constexpr size_t longest_names = 60;
constexpr std::array<const char*, start_stages> words{"queued", "dial",  "auth", "start",
                                                      "client", "hello", "push", "check"};
/// The stage of hosts without a report: the nodes that are to start them are not up themselves.
constexpr size_t untold = start_stages;

/// `names`: who knows the names of nodes.
template <class Names>
std::string by_stage(const std::vector<NodeIndex>& missing, const Names& names,
                     const HostStarts& starts) {
    std::array<std::vector<std::string>, start_stages + 1> hosts;
    for (const NodeIndex node : missing) {
        const auto* known = starts.of(node);
        const size_t stage = known == nullptr ? untold : static_cast<size_t>(known->start.stage);
        hosts[stage].push_back(names.name_of(node));
    }
    std::string text;
    for (size_t stage = start_stages; stage-- > 0;) {
        if (hosts[stage].empty()) continue;
        if (!text.empty()) text += ", ";
        text += short_names(std::move(hosts[stage])) + " (" + words[stage] + ")";
    }
    if (hosts[untold].empty()) return text;
    if (text.empty()) return short_names(std::move(hosts[untold]));
    return text + ", " + short_names(std::move(hosts[untold])) + " (not tried yet)";
}

}  // namespace

std::string short_names(std::vector<std::string> hosts) {
    const std::string names = fold_names(std::move(hosts));
    return names.size() > longest_names ? names.substr(0, longest_names - 3) + "..." : names;
}

void HostStarts::take(const StartsMessage& message) {
    for (const HostStart& start : message.hosts)
        if (start.node > 0 && start.node <= hosts_.size())
            hosts_[start.node - 1] = Known{message.by, start};
}

const HostStarts::Known* HostStarts::of(NodeIndex node) const {
    if (node == 0 || node > hosts_.size() || !hosts_[node - 1]) return nullptr;
    return &*hosts_[node - 1];
}

std::string stage_word(StartStage stage) {
    return words.at(static_cast<size_t>(stage));
}

std::string waiting_hosts(const JobRecord& record, const HostStarts& starts) {
    return by_stage(record.missing_nodes(), record, starts);
}

std::string waiting_hosts(const HostRecord& hosts, const HostStarts& starts) {
    return by_stage(hosts.unknown(), hosts, starts);
}

}  // namespace launch
