// SPDX-License-Identifier: MIT
// Shows where ranks are before they are killed.

#include "core/base/seconds.hpp"
#include "core/head/job_run.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/link/patience.hpp"

namespace launch {
namespace {

/// The head of a session numbers its own questions from 1.
constexpr uint64_t first_survey = uint64_t{1} << 32;

}  // namespace

/// The hosts that are up and have ranks that run.
std::set<NodeIndex> JobRun::nodes_to_survey() const {
    std::set<NodeIndex> nodes;
    const auto up = record_.up();
    for (NodeIndex host = 0; host < up.size(); ++host) {
        bool runs = false;
        for_each_rank(plan_.placement.node(host),
                      [&](uint32_t rank) { runs = runs || !record_.has_ended(rank); });
        if (up[host] && runs) nodes.insert(host + 1);
    }
    return nodes;
}

/// Once, however many reasons there are to end the job.
awaitable<void> JobRun::tell_stacks(milliseconds limit) {
    if (std::exchange(stacks_told_, true) || !record_.started() || is_ending()) co_return;
    auto nodes = nodes_to_survey();
    if (nodes.empty()) co_return;
    const SurveyOrder order{first_survey, SurveyOrder::What::stacks, {}, limit};
    surveys_.open(order.survey, std::move(nodes));
    tree_.survey(order);
    const auto deadline = Clock::now() + limit + patience::survey_comes_up;
    while (!surveys_.is_complete(order.survey) && !is_over() && !is_ending() &&
           Clock::now() < deadline)
        co_await changed_.wait_until(deadline);
    const auto answer = surveys_.close(order.survey);
    std::vector<std::string> silent;
    for (const NodeIndex node : answer.silent)
        silent.push_back(record_.name_of(node));
    if (!answer.merged.stacks.empty())
        for (const auto& line : stack_lines(answer.merged.stacks))
            console_.say(line);
    if (!silent.empty() && !is_ending())
        console_.say(fold_names(silent) + ": no stacks within " + in_seconds(limit));
}

/// The user insists: ranks are killed when their stacks are known, or at the next such signal.
awaitable<void> JobRun::kill_job() {
    co_await tell_stacks(patience::stacks_of_killed);
    end_job(milliseconds{0});
}

}  // namespace launch
