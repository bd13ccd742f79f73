// SPDX-License-Identifier: MIT
#include "core/head/spawned_run.hpp"

#include "core/head/job_message.hpp"
#include "core/head/report.hpp"
#include "core/head/start_verdict.hpp"
#include "core/link/patience.hpp"

namespace launch {
namespace {

/// In the words for a job that ends by it.
std::string why_unable(const Plan& plan, const std::vector<RankExit>& unable) {
    JobRecord record(plan);
    for (const RankExit& exit : unable)
        record.rank_ended(exit);
    const auto lines = rank_failure_lines(record, plan.spec);
    return lines.empty() ? "the spawned processes cannot start" : lines.front();
}

}  // namespace

SpawnedRun::SpawnedRun(any_io_executor executor, SpawnGround::Place place, JobMessage message,
                       SpawnWatch& watch)
    : executor_(executor),
      plan_(std::move(place.plan)),
      tree_(std::move(place.tree)),
      watch_(watch),
      record_(plan_),
      output_(watch.output_of(plan_)),
      changed_(executor) {
    tree_->begin(std::move(message), *this, *this);
    // Only hosts with ranks say that they are ready.
    for (NodeIndex node = 1; node < plan_.nodes(); ++node)
        if (!uses(node)) record_.node_up(node);
}

awaitable<void> SpawnedRun::run(Answer answer) {
    tree_->start(assignment(plan_));
    while (!give_up_at_ && !record_.all_known())
        co_await changed_.wait();
    if (settle_start(answer)) {
        co_await wait_for_end();
        output_->tell_hosts();
    }
    phase_ = Phase::over;
    stuck_ = co_await tree_->finish();
    co_await output_->finish();
    if (output_->file_error() != nullptr) watch_.output_failed(output_->file_error());
}

/// False: they do not start.
bool SpawnedRun::settle_start(const Answer& answer) {
    if (give_up_at_) {
        answer({}, "the job is ending");
        return false;
    }
    if (!record_.host_failures().empty()) {
        answer({}, host_failure_lines(record_.host_failures()).front());
        return false;
    }
    const auto verdict = judge_start(plan_, record_.unready());
    if (!verdict.unable.empty()) {
        std::vector<uint32_t> ranks;
        for (const RankExit& exit : verdict.unable)
            ranks.push_back(exit.rank);
        answer(ranks, why_unable(plan_, verdict.unable));
        return false;
    }
    record_.start_ranks();
    phase_ = Phase::runs;
    order(FrameType::start_ranks, verdict.may_leave_wdir ? 1 : 0);
    answer({}, {});
    return true;
}

awaitable<void> SpawnedRun::wait_for_end() {
    while (!record_.all_ended()) {
        if (give_up_at_ && (record_.running() == 0 || Clock::now() >= *give_up_at_)) co_return;
        co_await changed_.wait_until(give_up_at_.value_or(Clock::time_point::max()));
    }
}

void SpawnedRun::end(milliseconds grace) {
    const auto give_up_at = Clock::now() + grace + patience::leave_head;
    if (phase_ == Phase::over || (give_up_at_ && give_up_at >= *give_up_at_)) return;
    give_up_at_ = give_up_at;
    record_.ending(grace);
    order(FrameType::terminate, static_cast<uint64_t>(grace.count()));
    changed();
}

void SpawnedRun::changed() {
    changed_.notify();
    watch_.spawned_changed();
}

void SpawnedRun::hosts_up(const std::vector<NodeIndex>& nodes) {
    for (const NodeIndex node : nodes)
        record_.node_up(node);
    changed();
}

void SpawnedRun::hosts_failed(const FailureMessage& failure) {
    const bool is_head = failure.node == 0;
    if (!is_head && !record_.has_ranks(failure)) return;
    record_.host_failed(failure);
    if (is_head || phase_ == Phase::runs) watch_.host_lost(failure);
    changed();
}

void SpawnedRun::notice(const NoticeMessage& notice) {
    watch_.notice_of(host_of(notice, plan_), notice);
}

void SpawnedRun::take(const JobReport& report) {
    std::visit([this](const auto& message) { take(message); }, report);
}

void SpawnedRun::take(const ExitsMessage& message) {
    if (give_up_at_ && Clock::now() + patience::leave_head >= *give_up_at_) record_.killing();
    for (const auto& exit : message.exits) {
        output_->ended(exit.rank, exit.status);
        if (record_.rank_ended(exit)) watch_.rank_failed(plan_.space, exit);
    }
    changed();
}

awaitable<bool> SpawnedRun::output(OutputMessage message) {
    const bool taken = co_await output_->take(message);
    if (!taken) watch_.output_failed(output_->file_error());
    co_return taken;
}

}  // namespace launch
