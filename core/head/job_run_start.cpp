// SPDX-License-Identifier: MIT
// When ranks start, and where they go when hosts may be missing.

#include "core/base/take.hpp"
#include "core/head/job_message.hpp"
#include "core/head/job_run.hpp"
#include "core/head/phase_text.hpp"
#include "core/head/report.hpp"
#include "core/head/start_verdict.hpp"
#include "core/wire/start_word.hpp"

namespace launch {

/// Whether ranks may start as far as hosts are concerned, or something else is waited for.
bool JobRun::may_settle_start() {
    if (must_end()) return true;
    if (plan_.waits_for_all() && !record_.unstaged_hosts().empty()) return false;
    return !plan_.late() || tree_.settle_routes();
}

/// All hosts are up or known to be missing. Ranks that have not waited for that need a word only
/// where their host lacks something.
void JobRun::settle_start() {
    enter(Stage::runs);
    if (must_end()) return end_job(job_.policies.kill_grace);
    if (plan_.late()) return place_ranks();
    const auto verdict = judge_start(plan_, record_.unready());
    if (!accept(verdict)) return;
    if (!record_.started())
        start_ranks();
    else if (record_.unready().empty())
        return;
    // The first host of a plan is the first node after the head.
    const StartWord word{verdict.may_leave_wdir, rendezvous_port(1, record_.unready())};
    order(FrameType::start_ranks, word.number());
}

/// A lone host says so after it is up, while its ranks wait.
void JobRun::take(const UnreadyMessage& unready) {
    record_.node_unready(unready);
    if (stage_ == Stage::runs && !plan_.late() && !is_ending())
        accept(judge_start(plan_, record_.unready()));
}

void JobRun::start_ranks() {
    record_.start_ranks();
    times_.placed = Clock::now();
    tell_run();
}

/// False: ranks cannot start, so none does.
bool JobRun::accept(const StartVerdict& verdict) {
    if (verdict.unable.empty() || job_.policies.keep_going) return true;
    for (const auto& exit : verdict.unable)
        if (record_.rank_ended(exit) && !outcome_.failed) outcome_.failed = exit.status;
    end_job(job_.policies.kill_grace);
    return false;
}

/// If the job cannot run on the hosts that are left, it ends as it would without --allow-missing:
/// the reasons for the missing hosts are reported at its end.
void JobRun::place_ranks() {
    auto placed = place_on_living(plan_, record_.up());
    if (!placed) {
        // Where no host is up, why each is not says it all.
        if (record_.hosts_up() > 0)
            fail_job(std::move(placed.error()));
        else
            end_job(job_.policies.kill_grace);
        return;
    }
    const auto notes = late_notes(plan_, *placed);
    const Deal& deal = placed->deal;
    for (size_t i = 0; i < deal.program_ranks.size(); ++i)
        plan_.spec.programs[i].ranks = deal.program_ranks[i];
    // The plan's places count from 0.
    std::vector<uint32_t> places;
    for (const NodeIndex node : placed->nodes)
        places.push_back(node - 1);
    plan_.placement = deal.placement.arranged(places, plan_.hosts.size());
    plan_.universe_size = deal.universe_size;
    plan_.process_mapping = factories_.process_mapping(deal.placement);
    for (const auto& line : host_failure_lines(record_.place_ranks()))
        console_.note("note: " + line);
    for (const auto& line : notes)
        console_.note("note: " + line);
    if (job_.policies.verbose) tell(placed_line(plan_));
    const auto verdict = judge_start(plan_, record_.unready());
    if (!accept(verdict)) return;
    start_ranks();
    plan_.rendezvous_port = rendezvous_port(placed->nodes.front(), record_.unready());
    auto message = late_assignment(plan_, *placed, verdict.may_leave_wdir);
    begin(JobPhase::run);
    const auto up = record_.up();
    const auto lost =
        take_unless(message.parts, [&up](const auto& part) { return up[part.node - 1]; });
    tree_.assign(std::move(message), lost);
}

}  // namespace launch
