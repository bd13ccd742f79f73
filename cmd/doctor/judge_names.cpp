// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include "cmd/doctor/judge_parts.hpp"
#include "core/base/counted.hpp"
#include "core/base/list_text.hpp"

namespace launch {
namespace {

constexpr const char* fix_names =
    "DNS, or the same /etc/hosts on all hosts: MPI libraries connect by these names";

bool is_loopback(const std::string& address) {
    return address.starts_with("127.") || address == "::1";
}

bool all_loopback(const NameFact& fact) {
    return !fact.addresses.empty() &&
           std::all_of(fact.addresses.begin(), fact.addresses.end(), is_loopback);
}

/// The addresses of one name on each host and on this machine.
struct Views {
    std::vector<std::pair<std::string, const NameFact*>> of_hosts;
    const NameFact* here = nullptr;
};

std::map<std::string, Views> views_of(const Examination& seen) {
    std::map<std::string, Views> all;
    for (const auto& fact : seen.here.names)
        all[fact.name].here = &fact;
    for (const auto& host : seen.hosts)
        if (host.facts)
            for (const auto& fact : host.facts->names)
                all[fact.name].of_hosts.emplace_back(host.name, &fact);
    return all;
}

/// Returns the addresses on most hosts. If two sets are as frequent, those of this machine win,
/// except a loopback address, which means another machine on each host.
std::string usual_addresses(const std::string& name, const Views& views) {
    std::map<std::string, size_t> counts;
    const bool counts_here = views.here != nullptr && !all_loopback(*views.here);
    std::string here = counts_here ? joined(views.here->addresses, ",") : "";
    if (counts_here) ++counts[here];
    for (const auto& [host, fact] : views.of_hosts)
        if (host != name) ++counts[joined(fact->addresses, ",")];
    counts.erase("");
    const auto most =
        std::max_element(counts.begin(), counts.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most == counts.end() || (counts.contains(here) && counts[here] == most->second))
        return here;
    return most->first;
}

/// A host whose name nobody resolves can be up all the same, by ssh's configuration.
bool is_up(const Examination& seen, const std::string& name) {
    return std::any_of(seen.hosts.begin(), seen.hosts.end(),
                       [&](const ExaminedHost& host) { return host.name == name && host.is_up; });
}

void judge_own_name(const std::string& name, const NameFact& fact, Findings& found) {
    if (all_loopback(fact))
        found.add(Severity::warning, Check::names, name,
                  "its own name is " + fact.addresses.front() +
                      " there: programs tell others that address",
                  "in /etc/hosts there, before it, a line with the address that others know");
}

}  // namespace

void judge_names(const Examination& seen, Findings& found) {
    if (!seen.reaches_by_name) return;
    const auto all = views_of(seen);
    size_t resolved = 0;
    for (const auto& [name, views] : all) {
        const std::string usual = usual_addresses(name, views);
        if (usual.empty() && !is_up(seen, name)) continue;  // that it did not start tells it
        if (!usual.empty() && !views.of_hosts.empty()) ++resolved;
        for (const auto& [host, fact] : views.of_hosts) {
            const std::string addresses = joined(fact->addresses, ",");
            if (usual.empty())
                found.add(Severity::note, Check::names, host,
                          "no host can resolve " + name +
                              "; it is only an alias in the ssh configuration",
                          fix_names);
            else if (!fact->fault.empty())
                found.add(Severity::warning, Check::names, host,
                          "does not resolve " + name + ": " + fact->fault, fix_names);
            else if (host == name && all_loopback(*fact))
                judge_own_name(name, *fact, found);
            else if (addresses != usual && host != name)
                found.add(Severity::warning, Check::names, host,
                          name + " is " + addresses + " there, and " + usual + " for others",
                          fix_names);
        }
    }
    if (resolved > 0)
        found.done(Check::names, counted(resolved, "name") + (resolved == 1 ? " is" : " are") +
                                     " the same everywhere");
}

}  // namespace launch
