// SPDX-License-Identifier: MIT
// Handles the reports of nodes.

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "core/base/seconds.hpp"
#include "core/head/job_run.hpp"
#include "core/head/report.hpp"
#include "core/io/output_error.hpp"
#include "core/process/core_file.hpp"

namespace launch {
namespace {

/// Many hosts send the same notice in the course of a start; it is printed once, folded.
constexpr milliseconds notice_delay{3000};
/// The delay when all hosts are up: then hosts send a notice at the same time.
constexpr milliseconds short_notice_delay{200};

}  // namespace

void JobRun::hosts_up(const std::vector<NodeIndex>& nodes) {
    for (const NodeIndex node : nodes)
        if (record_.node_up(node)) progressed();  // ranks of a late host begin (--start-early)
    if (timeline_) timeline_->up(nodes, Clock::now());
    hosts_known();
    tell_up();
    changed_.notify();
}

/// Notes the time when every host is up or has failed. Call this after each host that comes up or
/// fails, because the last one may do either.
void JobRun::hosts_known() {
    if (!record_.all_known() || times_.up != Clock::time_point() || is_over()) return;
    times_.up = Clock::now();
    begin(record_.placed() ? JobPhase::run : JobPhase::place);
}

void JobRun::hosts_failed(const FailureMessage& failure) {
    if (failure.node == 0) return fail_job(failure.error);  // no host: this process itself
    if (failure.was_up) spawned_.tell_lost(failure);
    if (failure.node >= plan_.nodes()) return;  // it has joined: who had processes there tells
    progressed();
    record_.host_failed(failure);
    for (uint32_t rank = 0; debugs_ != nullptr && rank < record_.ranks(); ++rank)
        if (record_.has_ended(rank)) debugs_->ended(rank, {ExitStatus::Kind::lost});
    for (const NodeRange& range : failure.nodes())
        surveys_.lose(range);
    if (watch_ != nullptr) watch_->host_failed(failure);
    if (timeline_) timeline_->failed(failure, Clock::now());
    hosts_known();
    // A host that was lost ends the job at once. One that could not be started ends it when all
    // others have been tried, so that the user learns of every bad host in one go.
    // Where ranks are not placed yet and hosts may be missing, a lost one is such a host.
    const bool lost = failure.was_up && !may_begin_without();
    if (lost && must_end_for(failure))
        end_job(job_.policies.kill_grace);
    else if (lost && !is_ending() && !must_end())
        tell_loss(failure);
    leave_terminal();
    tell_up();
    changed_.notify();
}

/// The job survives it, unless spawned ranks were there: see host_lost().
void JobRun::tell_loss(const FailureMessage& failure) {
    const bool has_spawned = spawned_.has_ranks_on(failure.hosts);
    const char* then = "; its ranks are lost, the others go on";
    if (is_over()) then = "; all ranks had ended, but output may be missing";
    if (!record_.has_ranks(failure))
        then = has_spawned ? spawned_are_lost : "; it had no ranks, the job goes on";
    if (has_spawned && !job_.policies.survives_host_loss()) return;
    told_losses_.push_back(failure.node);
    for (const auto& line : host_failure_lines({failure}))
        console_.say(line + then);
}

/// If the user has interrupted the job, that is why the first of its ranks failed.
void JobRun::blame_interrupt() {
    const bool may_be = Clock::now() < answers_.interrupted_until();
    if (!outcome_.failed && may_be) interrupt_ = SIGINT;
}

void JobRun::fault(const FaultMessage& fault, const JobRecord& record) {
    if (is_ending()) return;
    blame_interrupt();
    // A rank that was interrupted leaves as it can. Others wait for it in vain, but may have
    // something to write.
    const bool left =
        fault.kind == FaultMessage::Kind::unfinished || fault.kind == FaultMessage::Kind::absent;
    if (left && Clock::now() < answers_.interrupted_until()) {
        spared_until_ = std::min(spared_until_, answers_.interrupted_until());
        changed_.notify();
        return;
    }
    Error error = fault_error(fault, record);
    if (fault.kind != FaultMessage::Kind::aborted) {
        if (!outcome_.error) outcome_.error = std::move(error);
        end_failed();
        return;
    }
    // An abort is a failure, whatever the number says.
    const int32_t code = fault.value & 0xff;
    abort_ = Abort{std::move(error), {ExitStatus::Kind::exited, code == 0 ? 1 : code}};
    record_.aborted(&record == &record_ ? std::optional(fault.rank) : std::nullopt);
    spawned_.aborted(record, fault.rank);
    end_failed();
}

void JobRun::take(const StagedMessage& staged) {
    record_.node_staged(staged.node);
    if (record_.all_known() && record_.unstaged_hosts().empty())
        tell("staged: all hosts have the files after " + in_seconds(since_began()));
    changed_.notify();
}

void JobRun::take(const ExitsMessage& message) {
    progressed();
    if (timeline_) timeline_->take(message);
    if (give_up_at_ && Clock::now() + patience::leave_head >= *give_up_at_) record_.killing();
    for (const auto& exit : message.exits) {
        output_->ended(exit.rank, exit.status);
        if (watch_ != nullptr) watch_->rank_ended(exit.rank);
        const bool died = exit.status.kind == ExitStatus::Kind::signalled;
        if (died && makes_core(exit.status.value) && !job_.policies.core_dir.empty())
            crashed_.insert(exit.rank);
        if (record_.rank_ended(exit)) rank_failed(0, exit);
    }
    leave_terminal();
    changed_.notify();
}

void JobRun::end_after(const ExitStatus& failed) {
    blame_interrupt();
    if (!outcome_.failed) outcome_.failed = failed;
    if (job_.policies.keep_going) return;
    spared_until_ = std::min(spared_until_, answers_.spared_until(failed));
    if (Clock::now() >= spared_until_) end_failed();
}

void JobRun::notice(const NoticeMessage& notice) {
    if (watch_ != nullptr) watch_->noticed(notice);
    notice_of(host_of(notice, plan_), notice);
}

void JobRun::notice_of(const std::string& host, const NoticeMessage& notice) {
    if (notice.verbose_only && !job_.policies.verbose) return;
    const auto delay = record_.all_known() ? short_notice_delay : notice_delay;
    // A report of bindings was asked for, so it is printed with --quiet, too.
    notices_.add({notice.text, job_.policies.place.report}, host, Clock::now() + delay);
    changed_.notify();
}

awaitable<bool> JobRun::output(OutputMessage output) {
    progressed();
    ++outputs_under_way_;
    const bool taken = co_await output_->take(output);
    --outputs_under_way_;
    progressed();
    if (!taken) output_failed(output_->file_error());
    co_return taken;
}

void JobRun::input_wanted(const InputGrant& grant) {
    input_wanted_ = true;
    if (job_.policies.output.pty == PtyChoice::user) take_terminal();
    input_.wanted(grant.granted);
}

void JobRun::take(const JobReport& report) {
    std::visit([this](const auto& message) { take(message); }, report);
}

void JobRun::output_failed(const Error* file_error) {
    if (is_ending()) return;
    blame_output(file_error);
    end_job(job_.policies.kill_grace);
}

/// Makes the write error of an output file, or else of standard output, the cause of the job's end,
/// unless an earlier error is.
void JobRun::blame_output(const Error* file_error) {
    if (file_error == nullptr && console_.output_error() == EPIPE) {
        outcome_.signal = SIGPIPE;  // `launch ... | head -1`: the reader has seen enough
        return;
    }
    if (outcome_.error) return;
    outcome_.error = file_error != nullptr ? *file_error : output_error(console_.output_error());
}

}  // namespace launch
