// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>

#include "cmd/doctor/findings.hpp"
#include "cmd/render/text_parts.hpp"
#include "core/base/counted.hpp"
#include "core/base/list_text.hpp"
#include "core/base/number_text.hpp"

namespace launch {
namespace {

/// Returns the most frequent text; of several that are as frequent that of this machine or, if it
/// is none of them, the first. Empty if no text was counted.
std::string most_frequent(std::map<std::string, size_t> counts, const std::string& here) {
    const auto most =
        std::max_element(counts.begin(), counts.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most == counts.end()) return {};
    return counts.contains(here) && counts[here] == most->second ? here : most->first;
}

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
    const std::string here = counts_here ? joined(views.here->addresses, ",") : "";
    if (counts_here) ++counts[here];
    for (const auto& [host, fact] : views.of_hosts)
        if (host != name) ++counts[joined(fact->addresses, ",")];
    counts.erase("");
    return most_frequent(std::move(counts), here);
}

/// A host whose name nobody resolves can be up all the same, by ssh's configuration.
bool is_up(const Examination& seen, const std::string& name) {
    return std::any_of(seen.hosts.begin(), seen.hosts.end(),
                       [&](const ExaminedHost& host) { return host.name == name && host.is_up; });
}

constexpr int64_t second = 1'000'000;
/// make, tar and NFS notice less; schedulers' and Kerberos' limits are minutes.
constexpr int64_t bearable_us = second;

/// "2.36" as numbers, so that 2.9 is before 2.36.
std::vector<uint32_t> numbers_of(const std::string& version) {
    std::vector<uint32_t> numbers;
    for (const auto part : split(version, '.'))
        numbers.push_back(parse_number<uint32_t>(part).value_or(0));
    return numbers;
}

/// Returns the version of a library, or several, as in "4.0.2 and 4.2"; empty: it is missing.
std::string version_of(const HostFacts& facts, const std::string& name) {
    std::string versions;
    for (const auto& library : facts.libraries)
        if (library.name == name) append_part(versions, " and ", library.version);
    return versions;
}

std::set<std::string> names_of_libraries(const Examination& seen) {
    std::set<std::string> names;
    for (const auto& host : seen.hosts)
        if (host.facts)
            for (const auto& library : host.facts->libraries)
                names.insert(library.name);
    return names;
}

/// The version on most hosts, as version_of() has it.
std::string usual_version(const Examination& seen, const std::string& name) {
    std::map<std::string, size_t> counts;
    for (const auto& host : seen.hosts)
        if (host.facts) ++counts[version_of(*host.facts, name)];
    return most_frequent(std::move(counts), version_of(seen.here, name));
}

void judge_library(const Examination& seen, const std::string& name, Findings& found) {
    const std::string usual = usual_version(seen, name);
    const std::string others = usual.empty() ? "most hosts have none" : "most hosts have " + usual;
    for (const auto& host : seen.hosts) {
        if (!host.facts) continue;
        const std::string version = version_of(*host.facts, name);
        if (version != usual)
            found.add(Severity::warning, Check::mpi, host.name,
                      (version.empty() ? "no " + name : name + " " + version) + ", where " + others,
                      "the same version on all hosts, in the system or by -x LD_LIBRARY_PATH");
        else if (const auto here = version_of(seen.here, name); !here.empty() && here != version)
            found.add(Severity::note, Check::mpi, host.name,
                      name + " " + version + ", and " + here + " on this machine",
                      "build the program where it is to run");
    }
}

/// Debian 12's. Its ranks no longer serve UCX's connections of TCP, which others still flush, once
/// they are in the barrier of PMI in MPI_Finalize. Seen on 8 hosts and more, under Hydra, too.
void judge_finalize(const Examination& seen, Findings& found) {
    if (seen.hosts.size() < 2) return;
    for (const auto& host : seen.hosts)
        if (host.facts && version_of(*host.facts, "MPICH") == "4.0.2")
            found.add(Severity::note, Check::mpi, host.name,
                      "MPICH 4.0.2 over UCX can hang in MPI_Finalize between hosts, under any "
                      "launcher",
                      "an MPI_Barrier and 0.2 s before MPI_Finalize, or another MPICH");
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
                found.add(
                    Severity::warning, Check::names, name,
                    "its own name is " + fact->addresses.front() +
                        " there: programs tell others that address",
                    "in /etc/hosts there, before it, a line with the address that others know");
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

void judge_clocks(const Examination& seen, Findings& found) {
    if (seen.is_local) return;
    int64_t widest = 0;
    bool asked = false;
    for (const auto& host : seen.hosts) {
        if (!host.facts || host.latest_us < host.earliest_us) continue;
        asked = true;
        // How far the clock is ahead, or behind if negative, however long a message took.
        const auto there = static_cast<int64_t>(host.facts->clock_us);
        const int64_t least = there - static_cast<int64_t>(host.latest_us);
        const int64_t most = there - static_cast<int64_t>(host.earliest_us);
        widest = std::max({widest, std::abs(least), std::abs(most)});
        const bool early = least > bearable_us;
        if (!early && most >= -bearable_us) continue;
        const auto certain = static_cast<uint64_t>(early ? least : -most);
        found.add(Severity::warning, Check::clock, host.name,
                  "its clock is " + time_text(certain) + (early ? " ahead of" : " behind") +
                      " that of this machine",
                  "is chrony, ntpd or systemd-timesyncd running there? try: timedatectl");
    }
    // Wrong clocks have findings of their own; this bounds the difference of the others.
    if (asked)
        found.done(Check::clock,
                   "differ by less than " + time_text(static_cast<uint64_t>(widest + second / 10)));
}

void judge_libraries(const Examination& seen, Findings& found) {
    std::string all;
    for (const auto& name : names_of_libraries(seen)) {
        judge_library(seen, name, found);
        append_part(all, ", ", name + " " + usual_version(seen, name));
    }
    judge_finalize(seen, found);
    found.done(Check::mpi, all.empty() ? "no MPI or PMIx library was found" : all);
}

void judge_glibc(const Examination& seen, Findings& found) {
    std::string oldest;
    for (const auto& host : seen.hosts) {
        if (!host.facts) continue;
        const std::string& version = host.facts->libc;
        if (oldest.empty() || numbers_of(version) < numbers_of(oldest)) oldest = version;
        if (numbers_of(version) < numbers_of(seen.here.libc))
            found.add(Severity::warning, Check::glibc, host.name,
                      "glibc " + version + ", older than " + seen.here.libc +
                          " here: programs that were built here may not start there",
                      "build programs on the oldest host, or link them statically");
    }
    if (!oldest.empty()) found.done(Check::glibc, "glibc " + oldest + " or newer");
}

}  // namespace launch
