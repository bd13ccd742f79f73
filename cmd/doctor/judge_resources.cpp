// SPDX-License-Identifier: MIT
#include <algorithm>

#include "cmd/doctor/findings.hpp"
#include "cmd/render/text_parts.hpp"
#include "core/transport.hpp"

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
    std::string text = std::string(what) + ": at most " + limit_text(there.hard);
    if (!is_few) text += ", where " + limit_text(wanted) + " are allowed here";
    found.add(is_few ? Severity::warning : Severity::note, Check::limits, host.name, text, fix);
}

using Use = FolderFact::Use;

/// Sockets, segments of shared memory and staged files fill less than that in seconds.
constexpr uint64_t little_room = uint64_t{64} << 20;

bool can_hold_launch(const FolderFact& folder, uint64_t bytes) {
    return folder.fault.empty() && !folder.noexec && folder.free_bytes >= bytes;
}

std::string free_text(const FolderFact& folder) {
    return size_text(folder.free_bytes) + " free";
}

/// Returns why the folder cannot hold launch.
std::string obstacle(const FolderFact& folder) {
    if (!folder.fault.empty()) return folder.fault;
    if (folder.noexec) return "no program can be run there (mounted noexec)";
    return free_text(folder);
}

/// Where launch would be put, if it had to be.
void judge_place(const ExaminedHost& host, uint64_t bytes, Findings& found) {
    std::string why;
    for (const auto& folder : host.facts->folders) {
        if (folder.use != Use::launch) continue;
        if (can_hold_launch(folder, bytes)) return;
        why += (why.empty() ? "" : "; ") + folder.path + ": " + obstacle(folder);
    }
    found.add(Severity::warning, Check::disk, host.name,
              "launch has no place there if it is to be sent: " + why,
              "room in one of them without noexec, or launch at the same path as here");
}

void judge_folder(const ExaminedHost& host, const FolderFact& folder, Findings& found) {
    const bool is_memory = folder.use == Use::memory;
    const auto warn = [&](const std::string& what, const std::string& fix) {
        found.add(Severity::warning, Check::disk, host.name, folder.path + ": " + what, fix);
    };
    const char* const elsewhere =
        "clean it up, or set TMPDIR in that host's login to a folder with room";
    if (folder.fault == others_may_write)
        warn(folder.fault, "make it sticky or close it to others there (chmod +t, chmod go-w)");
    else if (!folder.fault.empty())
        warn(folder.fault,
             is_memory ? "MPI libraries share memory there: mount a tmpfs" : elsewhere);
    else if (folder.free_bytes < little_room)
        warn(free_text(folder), is_memory ? "remove what programs have left there" : elsewhere);
    else if (folder.noexec && !is_memory)
        warn("no program can be run there (mounted noexec)",
             "mount it without, or set TMPDIR in that host's login: --stage-program puts programs "
             "there");
}

}  // namespace

void judge_limits(const Examination& seen, Findings& found) {
    uint64_t least_files = unlimited;
    for (const auto& host : seen.hosts) {
        if (!host.facts) continue;
        const HostFacts& facts = *host.facts;
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
    found.done(Check::limits, "open files: " + limit_text(least_files) + " or more");
}

void judge_disks(const Examination& seen, Findings& found) {
    for (const auto& host : seen.hosts) {
        if (!host.facts) continue;
        judge_place(host, seen.executable_bytes, found);
        for (const auto& folder : host.facts->folders)
            if (folder.use != Use::launch) judge_folder(host, folder, found);
    }
    found.done(Check::disk, "room, and programs can be run from there");
}

/// As core/head/start_verdict has it: where no host has the folder ranks start at home; where some
/// have it, no rank starts.
void judge_wdir(const Examination& seen, Findings& found) {
    if (seen.wdir.empty()) return;
    const auto has = [](const ExaminedHost& host) { return host.facts && host.facts->has_wdir; };
    const bool some = std::any_of(seen.hosts.begin(), seen.hosts.end(), has);
    for (const auto& host : seen.hosts) {
        if (!host.facts || host.facts->has_wdir) continue;
        if (some)
            found.add_fault(Check::folder, host.name, ErrorKind::not_allowed,
                            seen.wdir + " is missing there, and other hosts have it",
                            "-wdir names another folder");
        else
            found.add(Severity::note, Check::folder, host.name,
                      seen.wdir + " is missing: ranks start in the home folder",
                      "-wdir names another folder");
    }
    if (some) found.done(Check::folder, seen.wdir + " is there");
}

}  // namespace launch
