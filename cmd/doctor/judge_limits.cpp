// SPDX-License-Identifier: MIT
#include <algorithm>

#include "cmd/doctor/judge_parts.hpp"
#include "cmd/render/size_text.hpp"

namespace launch {
namespace {

/// Each process of an MPI job opens a file or more for each of its peers.
constexpr uint64_t few_files = 1024;
/// Below that a handful of ranks with threads cannot be started.
constexpr uint64_t few_processes = 512;
/// Drivers of fast networks lock at least some tens of MiB for one process.
constexpr uint64_t little_memory = uint64_t{64} << 20;

std::string limit_text(uint64_t limit) {
    return limit == unlimited ? "unlimited" : std::to_string(limit);
}

std::string fix_of(const char* name, const char* systemd, const std::string& value) {
    return std::string("there: ") + name + " " + value +
           " in /etc/security/limits.d, or for ssh's service " + systemd + "=" +
           (value == "unlimited" ? "infinity" : value);
}

/// Ranks get the limits of the shell where launch is started, but never more than a host allows.
void judge_cut(const ExaminedHost& host, const char* what, uint64_t wanted, const HostLimit& there,
               uint64_t few, const std::string& fix, Findings& found) {
    const bool is_few = there.hard < few;
    if (!is_few && there.hard >= wanted) return;
    const std::string least = limit_text(there.hard);
    const std::string text = is_few ? std::string(what) + ": at most " + least
                                    : std::string(what) + ": at most " + least + ", where " +
                                          limit_text(wanted) + " are allowed here";
    found.add(is_few ? Severity::warning : Severity::note, Check::limits, host.name, text, fix);
}

}  // namespace

void judge_limits(const Examination& seen, Findings& found) {
    uint64_t least_files = unlimited;
    bool asked = false;
    for (const auto& host : seen.hosts) {
        if (!host.facts) continue;
        const HostFacts& facts = *host.facts;
        asked = true;
        least_files = std::min(least_files, facts.files.hard);
        judge_cut(host, "open files", seen.here.files.soft, facts.files, few_files,
                  fix_of("nofile", "LimitNOFILE", "65536"), found);
        if (!facts.is_root)  // the kernel does not count processes of root
            judge_cut(host, "processes",
                      std::min(seen.here.processes.soft, uint64_t{few_processes}), facts.processes,
                      few_processes, fix_of("nproc", "LimitNPROC", "65536"), found);
        if (facts.has_fast_network && facts.locked_memory.hard < little_memory)
            found.add(Severity::warning, Check::limits, host.name,
                      "locked memory: at most " + size_text(facts.locked_memory.hard) +
                          ", too little for its fast network",
                      fix_of("memlock", "LimitMEMLOCK", "unlimited"));
    }
    if (asked) found.done(Check::limits, "open files: " + limit_text(least_files) + " or more");
}

}  // namespace launch
