// SPDX-License-Identifier: MIT
#include <algorithm>

#include "cmd/doctor/judge_parts.hpp"
#include "cmd/render/size_text.hpp"
#include "core/transport.hpp"

namespace launch {
namespace {

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

void judge_disks(const Examination& seen, Findings& found) {
    bool asked = false;
    for (const auto& host : seen.hosts) {
        if (!host.facts) continue;
        asked = true;
        judge_place(host, seen.executable_bytes, found);
        for (const auto& folder : host.facts->folders)
            if (folder.use != Use::launch) judge_folder(host, folder, found);
    }
    if (asked) found.done(Check::disk, "room, and programs can be run from there");
}

/// As core/head/start_verdict has it: where no host has the folder ranks start at home; where some
/// have it, no rank starts.
void judge_wdir(const Examination& seen, Findings& found) {
    const auto has = [](const ExaminedHost& host) { return host.facts && host.facts->has_wdir; };
    const bool some = std::any_of(seen.hosts.begin(), seen.hosts.end(), has);
    bool asked = false;
    for (const auto& host : seen.hosts) {
        if (!host.facts || seen.wdir.empty()) continue;
        asked = true;
        if (host.facts->has_wdir) continue;
        if (some)
            found.add_fault(Check::folder, host.name, ErrorKind::not_allowed,
                            seen.wdir + " is missing there, and other hosts have it",
                            "-wdir names another folder");
        else
            found.add(Severity::note, Check::folder, host.name,
                      seen.wdir + " is missing: ranks start in the home folder",
                      "-wdir names another folder");
    }
    if (asked && some) found.done(Check::folder, seen.wdir + " is there");
}

}  // namespace launch
