// SPDX-License-Identifier: MIT
#include "cmd/session/attach_debuggers.hpp"

#include <map>

#include "cmd/console.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/render/session_text.hpp"
#include "cmd/session/running_job.hpp"
#include "core/debug/debugger.hpp"
#include "core/hosts/host_text.hpp"
#include "core/job/fold_ranks.hpp"
#include "core/link/patience.hpp"

namespace launch {
namespace {

Status check_attachment(const Settings& settings) {
    if (!settings.programs.empty())
        return usage_error("--attach: a job that runs has its programs already: " +
                           settings.programs.front().argv.front());
    const Debugger debugger(settings.policies.debugger);
    if (debugger.can_attach()) return Ok{};
    return usage_error("--attach: only gdb and lldb can do that, not " + debugger.name());
}

/// The debuggers have other numbers than their ranks where some of the ranks have ended.
void tell_ended(const std::vector<RankState>& ranks) {
    std::vector<uint32_t> running;
    for (const RankState& rank : ranks)
        running.push_back(rank.rank);
    if (running.back() + 1 == running.size()) return;
    say("note: only " + fold_ranks(running) + " of the job run; the prompt counts them from 0");
}

ProgramSettings debugger_of(const RankState& rank, const std::string& host) {
    ProgramSettings program;
    program.argv = attached_program(static_cast<pid_t>(rank.pid));
    program.ranks = 1;
    if (!host.empty()) program.host_lists.push_back(host);
    return program;
}

}  // namespace

Result<Settings> attach_debuggers(Settings settings) {
    const auto possible = check_attachment(settings);
    if (!possible) return possible.error();
    const Asked asked{find_command({}, {"debug"}), {settings.attach}, settings, {}};
    auto job = find_job(asked);
    if (!job) return std::move(job.error());
    const SurveyOrder order{0, SurveyOrder::Subject::usage, {}, patience::stacks};
    auto answer = ask(asked, *job, SurveyRequest{job->number, order});
    if (!answer) return std::move(answer.error());
    const SessionState& state = job->client.state();
    const std::string silent = silent_text(state, *answer);
    if (!silent.empty()) say(silent);
    const auto& ranks = answer->survey.ranks;
    if (ranks.empty()) return asked.wrong("no rank of job " + settings.attach + " runs");
    tell_ended(ranks);
    std::map<NodeIndex, std::string> names;
    for (const SessionHost& host : state.hosts)
        if (!state.is_here) names[host.node] = to_string(host.host);
    for (const RankState& rank : ranks)
        settings.programs.push_back(debugger_of(rank, names[rank.node]));
    settings.session = state.name;
    settings.session_share = true;
    settings.policies.pmi = PmiChoice::none;
    if (state.name.empty() && !state.is_here) settings.transport.name = state.transport;
    return settings;
}

}  // namespace launch
