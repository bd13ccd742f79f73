// SPDX-License-Identifier: MIT
// Looks into ranks: the resources that they use, the functions that they are in, and their core
// files.

#include "core/job/rank_list.hpp"
#include "core/process/core_file.hpp"
#include "core/process/descendants.hpp"
#include "core/run/local_ranks.hpp"

namespace launch {

std::vector<RankState> LocalRanks::survey(const std::vector<RankRun>& ranks) const {
    std::vector<RankState> states;
    for (const auto& rank : ranks_) {
        if (!ranks.empty() && !has_rank(ranks, rank->rank())) continue;
        if (const auto state = rank->usage()) states.push_back(*state);
    }
    return states;
}

/// The rank's own process comes first.
std::vector<RankProcessId> LocalRanks::processes(const std::vector<RankRun>& ranks) const {
    std::vector<RankProcessId> found;
    for (const auto& rank : ranks_) {
        if (rank->pid() < 0 || (!ranks.empty() && !has_rank(ranks, rank->rank()))) continue;
        for (const pid_t process : with_descendants(rank->pid()))
            found.push_back({rank->rank(), process});
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
