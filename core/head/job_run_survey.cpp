// SPDX-License-Identifier: MIT
// Questions about ranks: those of other launch processes, at the job's door, and launch's own
// before ranks are killed.

#include <algorithm>
#include <unistd.h>

#include "core/base/seconds.hpp"
#include "core/head/job_run.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/link/patience.hpp"

namespace launch {

namespace {

/// "3 ranks in 1 group crashed", and a line for each group.
std::vector<std::string> core_lines(const StackGroups& stacks, const std::string& folder) {
    auto lines = stack_lines(stacks);
    const auto groups = stacks.by_size();
    const bool any = std::any_of(groups.begin(), groups.end(), [](const auto& group) {
        return group.stack.note.find("no core") == std::string::npos;
    });
    lines.front() += " crashed";
    if (any) lines.front() += "; their hosts have core files " + folder + "/core.RANK.HOST";
    return lines;
}

}  // namespace

/// The hosts that are up and have ranks that run, or have crashed.
std::set<NodeIndex> JobRun::nodes_to_survey(SurveyOrder::Subject subject) const {
    const bool crashed = subject == SurveyOrder::Subject::cores;
    std::set<NodeIndex> nodes;
    const auto up = record_.up();
    for (NodeIndex host = 0; host < up.size(); ++host) {
        bool runs = false;
        for_each_rank(plan_.placement.node(host), [&](uint32_t rank) {
            runs = runs || (crashed ? crashed_.contains(rank) : !record_.has_ended(rank));
        });
        if (up[host] && runs) nodes.insert(host + 1);
    }
    return nodes;
}

awaitable<SurveyDesk::Answer> JobRun::survey(SurveyOrder order) {
    order.survey = ++last_survey_;
    if (!record_.started() || is_over()) co_return SurveyDesk::Answer{};
    surveys_.open(order.survey, nodes_to_survey(order.subject));
    tree_.survey(order);
    const auto deadline = Clock::now() + order.limit + patience::survey_comes_up;
    while (!surveys_.is_complete(order.survey) && !is_over() && Clock::now() < deadline)
        co_await changed_.wait_until(deadline);
    auto answer = surveys_.close(order.survey);
    if (is_over()) answer.silent.clear();  // their ranks have ended
    co_return answer;
}

/// Once, however many reasons there are to end the job.
awaitable<void> JobRun::tell_stacks(milliseconds limit) {
    if (stacks_told_ != StacksTold::no || is_ending()) co_return;
    stacks_told_ = StacksTold::now;
    SurveyOrder order{0, SurveyOrder::Subject::stacks, {}, limit};
    const auto answer = co_await survey(std::move(order));
    say_stacks(answer, limit);
}

void JobRun::say_stacks(const SurveyDesk::Answer& answer, milliseconds limit) {
    if (!answer.merged.stacks.empty() && !is_over())
        for (const auto& line : stack_lines(answer.merged.stacks))
            console_.say(line);
    tell_silent(answer.silent, "no stacks within " + in_seconds(limit));
    stacks_told_ = StacksTold::yes;
}

void JobRun::tell_silent(const std::vector<NodeIndex>& nodes, const std::string& what) {
    std::vector<std::string> names;
    for (const NodeIndex node : nodes)
        names.push_back(record_.name_of(node));
    if (!names.empty()) console_.say(fold_names(names) + ": " + what);
}

/// When all ranks have ended: where some have crashed.
awaitable<void> JobRun::tell_cores() {
    if (crashed_.empty()) co_return;
    SurveyOrder order{0, SurveyOrder::Subject::cores, {}, patience::usage};
    const auto answer = co_await survey(std::move(order));
    if (!answer.merged.stacks.empty())
        for (const auto& line : core_lines(answer.merged.stacks, job_.policies.core_dir))
            console_.say(line);
    tell_silent(answer.silent, "no report of core files within " + in_seconds(patience::usage));
}

/// The user insists: ranks are killed when their stacks are known, or at the next such signal.
awaitable<void> JobRun::kill_job() {
    co_await tell_stacks(patience::stacks_of_killed);
    if (!is_over()) end_job(milliseconds{0});
}

SessionState JobRun::state_for_door() const {
    SessionState state;
    state.pid = static_cast<uint32_t>(getpid());
    state.began = began_at_;
    state.topology = plan_.topology->name();
    state.transport = plan_.spec.transport.name;
    state.is_here = plan_.local;
    SessionJobState job;
    job.number = JobNumber{static_cast<uint32_t>(process_)};
    job.command = command_text(plan_.spec.programs);
    job.ranks = static_cast<uint32_t>(record_.ranks());
    job.began = began_at_;
    job.client = static_cast<uint32_t>(process_);
    const auto up = record_.up();
    for (NodeIndex host = 0; host < plan_.hosts.size(); ++host) {
        SessionHost& shown = state.hosts.emplace_back();
        shown.host = plan_.hosts[host];
        shown.node = host + 1;
        shown.up = up[host];
        if (!record_.placed()) continue;
        const auto ranks = plan_.placement.node(host);
        if (ranks.empty()) continue;
        job.nodes.push_back(host + 1);
        job.hosts.push_back(plan_.hosts[host].name);
        for_each_rank(ranks, [&](uint32_t) { ++shown.used; });
    }
    state.jobs.push_back(std::move(job));
    return state;
}

awaitable<SessionAnswer> JobRun::answer_at_door(SessionRequest request) {
    const auto ranks = static_cast<uint32_t>(record_.ranks());
    SessionAnswer answer;
    if (auto* survey_asked = std::get_if<SurveyRequest>(&request)) {
        SurveyOrder order = std::move(survey_asked->order);
        if (const auto refused = refuse_ranks(order.ranks, ranks)) co_return *refused;
        order.limit = std::min(order.limit, patience::longest_survey);
        auto found = co_await survey(std::move(order));
        answer.survey = std::move(found.merged);
        answer.silent = std::move(found.silent);
    } else if (const auto* signal_asked = std::get_if<SignalRequest>(&request)) {
        const SignalMessage& order = signal_asked->order;
        if (const auto refused = refuse_ranks(order.ranks, ranks)) co_return *refused;
        tree_.signal(order);
        if (order.ranks.empty()) spawned_.signal(order);
    } else {
        answer.kind = SessionAnswer::Kind::no_job;
    }
    co_return answer;
}

}  // namespace launch
