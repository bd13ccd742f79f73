// SPDX-License-Identifier: MIT
// Host lists and host files as users (and peers) may write them, and what schedulers say of hosts.
#include <algorithm>
#include <sstream>
#include <string>

#include "core/hosts/allocation.hpp"
#include "core/hosts/hostfile.hpp"
#include "core/hosts/hostlist.hpp"
#include "tests/fuzz/targets.hpp"

namespace launch {

namespace {

/// As the value of each variable, and as the file that it names.
void read_as_allocations(const std::string& text) {
    for (const char* name : {"SLURM_JOB_NODELIST", "SLURM_TASKS_PER_NODE", "LSB_MCPU_HOSTS",
                             "LSB_HOSTS", "PBS_NODEFILE", "PE_HOSTFILE", "FLUX_URI"}) {
        std::vector<std::string> env{std::string(name) + "=" + text};
        if (env[0].starts_with("SLURM_TASKS")) env.push_back("SLURM_NODELIST=n[1-3]");
        const auto found =
            find_allocation(AllocationChoice::automatic,
                            {.env = env,
                             .read_file =
                                 [&](const std::string& /*path*/) {
                                     return FileText{text, 0};
                                 },
                             .is_here = [](const std::string& /*host*/) { return false; },
                             .ask =
                                 [&](const std::vector<std::string>& /*argv*/) {
                                     return Result<std::string>(text);
                                 }});
        fuzz::require(found || !found.error().cause.empty(), "a reason");
        if (!found || !found->is_there()) continue;
        for (const auto& host : found->hosts)
            fuzz::require(host.slots > 0 && !host.name.empty(), "a host with a slot");
    }
}

}  // namespace

void fuzz::hosts(std::string_view bytes) {
    const std::string text(bytes);
    // Ranges of millions are valid and slow: what is looked for here is in short lists.
    size_t digits = 0;
    for (const char c : text) {
        digits = c >= '0' && c <= '9' ? digits + 1 : 0;
        if (digits > 3) return;
    }
    if (std::count(text.begin(), text.end(), '[') > 2) return;
    const auto hosts = parse_hosts(text);
    if (hosts) {
        const auto again = parse_hosts(fold_hosts(*hosts));
        fuzz::require(again && *again == *hosts, "unfolds to what was folded");
        merge_hosts(*hosts);
    }
    read_as_allocations(text);
    std::istringstream file(text);
    const auto lines = parse_hostfile(file, "f");
    fuzz::require(lines || !lines.error().cause.empty(), "a reason");
}

}  // namespace launch
