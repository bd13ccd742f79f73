// SPDX-License-Identifier: MIT
#include "core/job/job_hosts.hpp"

#include <algorithm>

#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

constexpr const char* this_machine = "localhost";

bool is_loopback(const std::string& name) {
    return name == this_machine || name.starts_with("localhost.") || name == "ip6-localhost" ||
           name.starts_with("127.") || name == "::1";
}

const std::string& name_of_first(const std::vector<Host>& hosts, const Placement& placement) {
    for (size_t i = 0; i < hosts.size(); ++i) {
        const auto runs = placement.node(i);
        if (!runs.empty() && runs.front().first == 0) return hosts[i].name;
    }
    return hosts.front().name;
}

std::string list_of(const std::vector<Host>& hosts) {
    std::vector<Host> names;
    names.reserve(hosts.size());
    for (const Host& host : hosts)
        names.push_back({{}, host.name, 0, 1});
    std::string list = fold_hosts(names);
    return list.size() > longest_host_list ? std::string() : list;
}

}  // namespace

JobHosts job_hosts(const std::vector<Host>& hosts, const Placement& placement, bool played,
                   const std::string& head) {
    JobHosts told{name_of_first(hosts, placement), list_of(hosts)};
    if (played) {
        told.first = this_machine;
    } else if (hosts.size() > 1 && is_loopback(told.first) && !head.empty()) {
        told.first = head;
    }
    return told;
}

}  // namespace launch
