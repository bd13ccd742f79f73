// SPDX-License-Identifier: MIT
// Shows the ranks to a debugger of parallel programs.

#include <algorithm>
#include <csignal>

#include "core/head/job_run.hpp"
#include "core/head/mpir.hpp"
#include "core/job/program_index.hpp"
#include "core/job/program_path.hpp"
#include "core/link/patience.hpp"

namespace launch {
namespace {

/// A rank that has its word to start may take a moment until it is a process.
constexpr milliseconds looks_again{50};
/// Where ptrace(2) is forbidden, ranks run on, and are shown then.
constexpr milliseconds longest_hold{10'000};

bool is_stopped(const RankState& rank) {
    return rank.state == 'T' || rank.state == 't';
}

}  // namespace

/// All ranks that run, once each of them is a process, and is stopped where it is to be held. Ranks
/// that were held go on then, except where a debugger holds them.
awaitable<void> JobRun::show_to_tools() {
    std::vector<RankState> ranks;
    const bool held = job_.policies.hold == Hold::at_exec;
    auto held_until = held ? Clock::time_point::max() : Clock::time_point::min();
    const auto all_are_there = [&] {
        return !ranks.empty() && ranks.size() >= record_.running() &&
               (Clock::now() >= held_until || std::all_of(ranks.begin(), ranks.end(), is_stopped));
    };
    while (!is_over() && !all_are_there()) {
        co_await changed_.wait_until(Clock::now() + looks_again);
        if (!record_.started()) continue;
        held_until = std::min(held_until, Clock::now() + longest_hold);
        SurveyOrder order{0, SurveyOrder::Subject::usage, {}, patience::stacks};
        auto answer = co_await survey(std::move(order));
        ranks = std::move(answer.merged.ranks);
    }
    if (is_over()) co_return;
    std::vector<mpir::Process> processes;
    for (const RankState& rank : ranks) {
        const size_t program = program_index(plan_.spec.programs, rank.rank);
        processes.push_back({record_.host_of_rank(rank.rank),
                             program_path(plan_.spec.programs.at(program), plan_.spec.wdir),
                             static_cast<int32_t>(rank.pid)});
    }
    mpir::show(processes);
    if (held) tree_.signal({SIGCONT, {}});
}

/// For a tool of PMIx that has asked at that node.
awaitable<void> JobRun::tell_ranks(NodeIndex node, uint64_t ticket) {
    while (!record_.started() && !is_over())
        co_await changed_.wait_until(Clock::now() + looks_again);
    SurveyOrder order{0, SurveyOrder::Subject::usage, {}, patience::stacks};
    const auto answer = co_await survey(std::move(order));
    const bool all = !is_over() && answer.silent.empty();
    tree_.answer({node, ticket, answer.merged.encode(), 0, {}, all ? "" : "not_all_answer"});
}

}  // namespace launch
