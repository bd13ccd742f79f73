// SPDX-License-Identifier: MIT
// Looks into ranks: the resources that they use, the functions that they are in, and their core
// files.

#include <algorithm>

#include "core/job/rank_list.hpp"
#include "core/process/core_file.hpp"
#include "core/process/descendants.hpp"
#include "core/process/process_stat.hpp"
#include "core/run/local_ranks.hpp"

namespace launch {

std::vector<RankState> LocalRanks::survey(const std::vector<RankRun>& ranks) const {
    std::vector<RankState> states;
    for (const auto& [rank, pid] : processes(ranks)) {
        const uint64_t main_ms = main_thread_stat(pid).cpu_ms;
        const ProcessStat stat = stat_of(pid);
        if (states.empty() || states.back().rank != rank)
            states.push_back({0, rank, static_cast<uint32_t>(pid), stat.state});
        states.back().cpu_ms += stat.cpu_ms;
        states.back().thread_cpu_ms += stat.cpu_ms - std::min(main_ms, stat.cpu_ms);
        states.back().resident_kib += stat.resident_kib;
    }
    return states;
}

/// The rank's own process comes first.
std::vector<RankProcessId> LocalRanks::processes(const std::vector<RankRun>& ranks) const {
    std::vector<RankProcessId> found;
    for (const auto& rank : ranks_) {
        if (rank->pid() < 0 || (!ranks.empty() && !has_rank(ranks, rank->rank()))) continue;
        found.push_back({rank->rank(), rank->pid()});
        for (const pid_t below : descendants_of(rank->pid()))
            found.push_back({rank->rank(), below});
    }
    return found;
}

awaitable<void> LocalRanks::take_core(const Rank& rank, const ExitStatus& status) {
    const auto& folder = job_.policies.core_dir;
    const bool died = status.kind == ExitStatus::Kind::signalled && makes_core(status.value);
    if (folder.empty() || !died) co_return;
    const Program& program = program_of(rank.rank());
    DeadProcess dead = rank.dead();
    dead.program = program.argv.front();
    dead.folder = program.wdir.empty() ? job_.wdir : program.wdir;
    if (program.wdir.empty() && fallback_noticed_) dead.folder = fallback_wdir_;
    const CoreKeeping keeping{folder, where_.host, {}};
    co_await cores_.take(keeping, std::move(dead));
}

}  // namespace launch
