// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>

#include "cmd/doctor/judge_parts.hpp"
#include "core/base/list_text.hpp"
#include "core/base/number_text.hpp"

namespace launch {
namespace {

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

/// That most hosts have; where as many have others, that of this machine if it is one of these.
std::string usual_version(const Examination& seen, const std::string& name) {
    std::map<std::string, size_t> counts;
    for (const auto& host : seen.hosts)
        if (host.facts) ++counts[version_of(*host.facts, name)];
    std::string here = version_of(seen.here, name);
    size_t most = 0;
    for (const auto& [version, count] : counts)
        most = std::max(most, count);
    if (counts.contains(here) && counts[here] == most) return here;
    const auto first = std::find_if(counts.begin(), counts.end(),
                                    [most](const auto& each) { return each.second == most; });
    return first == counts.end() ? "" : first->first;
}

void judge_library(const Examination& seen, const std::string& name, Findings& found) {
    const std::string usual = usual_version(seen, name);
    const std::string others = usual.empty() ? "most hosts have none" : "most hosts have " + usual;
    for (const auto& host : seen.hosts) {
        if (!host.facts) continue;
        const std::string version = version_of(*host.facts, name);
        if (version != usual)
            found.add(Severity::warning, Check::mpi, host.name,
                      version.empty() ? "no " + name + ", where " + others
                                      : name + " " + version + ", where " + others,
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

void judge_libraries(const Examination& seen, Findings& found) {
    std::string all;
    const bool asked = std::any_of(seen.hosts.begin(), seen.hosts.end(),
                                   [](const auto& host) { return host.facts.has_value(); });
    if (!asked) return;
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
