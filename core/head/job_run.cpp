// SPDX-License-Identifier: MIT
#include "core/head/job_run.hpp"

#include <algorithm>
#include <csignal>

#include "core/base/seconds.hpp"
#include "core/head/job_message.hpp"
#include "core/head/phase_text.hpp"
#include "core/head/report.hpp"
#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

/// The head of a session numbers its own questions from 1.
constexpr uint64_t first_survey = uint64_t{1} << 32;

std::optional<HeldOutput> held_output(const any_io_executor& executor, const Plan& plan,
                                      Console& console) {
    if (plan.spec.policies.output.gather == GatherChoice::none) return std::nullopt;
    return std::optional<HeldOutput>(std::in_place, executor, console);
}

}  // namespace

JobRun::JobRun(any_io_executor executor, Plan& plan, JobTree& tree, SpawnGround& ground,
               UserSide user, const Factories& factories, const HeadOptions& options,
               const Guard& guard, Reaper& reaper)
    : executor_(executor),
      plan_(plan),
      tree_(tree),
      factories_(factories),
      guard_(guard),
      watch_(options.watch),
      record_(plan_),
      starts_(plan_.hosts.size()),
      console_(std::move(user.screen), options.quiet, options.progress),
      held_(held_output(executor, plan_, console_)),
      output_(own_output()),
      terminal_(guard),
      reaper_(reaper),
      job_(tree.begin(job_message(plan_, options.log), *this, *this)),
      typed_(std::move(user.input)),
      input_(executor, tree, debugs_ != nullptr ? *debugs_ : *typed_),
      signals_(std::move(user.signals)),
      changed_(executor),
      last_survey_(first_survey),
      stacks_told_(plan_.spec.stacks == StacksWhen::never ? StacksTold::yes : StacksTold::no),
      process_(options.process),
      door_(executor, {[this] { return state_for_door(); },
                       [this](SessionRequest asked) { return answer_at_door(std::move(asked)); }}),
      spawned_(executor, {plan_, ground, options.log}, tree_, *this),
      ground_(ground),
      log_(options.log),
      shows_to_tools_(plan.spec.policies.tools || plan.spec.policies.hold == Hold::at_exec),
      fetches_(options.fetches),
      tasks_(executor) {
    const OutputChoice& output = plan_.spec.policies.output;
    console_.show_prompts(output.prompts_out, output.prompts_err);
    if (watch_ != nullptr) console_.mute();
    const bool is_debugged = !plan_.spec.policies.debugger.empty();  // waits for its user
    if (plan_.spec.hang.count() > 0 && !is_debugged) hang_.emplace(plan_.spec.hang, Clock::now());
}

std::unique_ptr<OutputSink> JobRun::own_output() {
    if (plan_.spec.policies.debugger.empty())
        return std::make_unique<RankOutput>(executor_, plan_, console_, held());
    auto talk = std::make_unique<DebugTalk>(executor_, plan_, console_, guard_);
    debugs_ = talk.get();
    return talk;
}

void JobRun::fail_job(Error error) {
    if (!outcome_.error) outcome_.error = std::move(error);
    end_job(job_.policies.kill_grace);
}

/// Ends the job because of a rank; first shows where the others are, if that is asked for.
void JobRun::end_failed() {
    if (plan_.spec.stacks == StacksWhen::failure && !is_ending()) {
        spared_until_ = Clock::time_point::max();
        record_.ending(job_.policies.kill_grace);
        tasks_.spawn(end_after_stacks());
    } else if (stacks_told_ != StacksTold::now) {
        end_job(job_.policies.kill_grace);
    }
}

awaitable<void> JobRun::end_after_stacks() {
    if (stacks_told_ == StacksTold::now) co_return;
    co_await tell_stacks(patience::stacks);
    if (!is_over()) end_job(job_.policies.kill_grace);
}

void JobRun::end_job(milliseconds grace) {
    if (fetching_) fetch_->end(grace);
    const auto give_up_at = Clock::now() + grace + patience::leave_head;
    if (give_up_at_ && give_up_at >= *give_up_at_) return;
    spared_until_ = Clock::time_point::max();
    give_up_at_ = give_up_at;
    record_.ending(grace);
    tree_.end_start();
    order(FrameType::terminate, static_cast<uint64_t>(grace.count()));
    spawned_.end(grace);
    changed_.notify();
}

awaitable<void> JobRun::wait_for_end() {
    for (;;) {
        if (give_up_at_ && (running() == 0 || Clock::now() >= *give_up_at_)) co_return;
        // Whoever shows stacks ends the job then, however many ranks have failed meanwhile.
        const bool tells_stacks = stacks_told_ == StacksTold::now;
        const auto fails_at = tells_stacks ? Clock::time_point::max() : spared_until_;
        if (Clock::now() >= fails_at) end_failed();
        const bool known = record_.all_known() && !is_ending();
        if (known && stage_ == Stage::starts && may_settle_start())
            settle_start();
        else if (known && stage_ == Stage::runs && must_end())
            end_job(job_.policies.kill_grace);
        else if (record_.all_ended() && spawned_.idle())
            co_return;
        else if (fails_at < Clock::time_point::max() && record_.all_ended() &&
                 spawned_.running() == 0)
            end_job(job_.policies.kill_grace);  // there is nobody to spare
        else
            co_await changed_.wait_until(
                std::min(give_up_at_.value_or(tree_.routes_deadline()), fails_at));
    }
}

void JobRun::close_stats() {
    if (!outcome_.stats) return;
    JobStats& stats = *outcome_.stats;
    stats.nodes.push_back(tree_.stats());
    stats.nodes.back().counts = phases_.close(tree_.counts());
    std::sort(stats.nodes.begin(), stats.nodes.end(),
              [](const auto& a, const auto& b) { return a.node < b.node; });
    for (const auto& host : plan_.hosts)
        stats.hosts.push_back(host.name);
    stats.start_us = PhaseTimes::between(times_.began, times_.run_began());
    stats.run_us = PhaseTimes::between(times_.run_began(), times_.ending);
    stats.end_us = PhaseTimes::between(times_.ending, Clock::now());
}

/// Nodes that do not say that they have ended do so when they notice that the job is gone.
void JobRun::tell_stuck(const std::vector<std::string>& hosts) {
    if (hosts.empty()) return;
    if (outcome_.error) {
        console_.say(
            fold_names(hosts) + ": no confirmation within " +
            in_seconds(patience::leave_head_within(job_.policies.kill_grace)) +
            " that the job has ended there; its processes end when the relay there notices "
            "that this job is gone");
        return;
    }
    outcome_.error = Error{ErrorKind::unreachable,
                           "end the job",
                           fold_names(hosts),
                           -1,
                           "no confirmation that the job has ended there; output may be missing",
                           {}};
}

awaitable<void> JobRun::finish() {
    times_.ending = Clock::now();
    begin(JobPhase::end);
    enter(Stage::over);
    door_.close();
    input_.stop();
    co_await spawned_.join();
    auto stuck = co_await tree_.finish();
    stuck.insert(stuck.end(), spawned_.stuck().begin(), spawned_.stuck().end());
    if (timeline_) outcome_.timeline = timeline_->close(starts_, times_, Clock::now());
    output_->tell_hosts();
    co_await output_->finish();
    if (held_) co_await held_->finish();
    co_await give_terminal_back();
    if (output_->file_error() != nullptr && !outcome_.error)
        outcome_.error = *output_->file_error();
    close_stats();
    tell_stuck(stuck);
    tell_notices();
    if (abort_ && !outcome_.failed) outcome_.failed = abort_->status;
    tell_outcome();
    if (job_.policies.verbose) tell(end_line(plan_, record_, times_, Clock::now()));
    console_.progress({});
    if (outcome_.signal != 0) tasks_.spawn(give_up_late());
    co_await console_.drain();
    enter(Stage::told_all);
    signals_->cancel();
    reaper_.stop();
    co_await input_.join();
    co_await door_.join();
    co_await tasks_.join();
    if (interrupt_ != 0) {
        outcome_.failed.reset();
        if (outcome_.signal == 0) outcome_.signal = interrupt_;
    }
    co_await judge_output();
    if (held_) outcome_.gathered = held_->gathered();
}

/// The last output can fail after everything else has ended well.
awaitable<void> JobRun::judge_output() {
    const bool failed = outcome_.error || outcome_.signal != 0 || outcome_.failed;
    if (console_.output_error() == 0 || failed) co_return;
    blame_output(output_->file_error());
    if (outcome_.error) console_.say(describe(*outcome_.error));
    co_await console_.drain();
}

/// The host could not be started, or was lost and may not be. A spare that nobody needed may.
bool JobRun::must_end_for(const FailureMessage& failure) const {
    if (!failure.was_up) return true;
    const bool spare = record_.placed() && !record_.has_ranks(failure);
    return !spare && !job_.policies.survives_host_loss();
}

bool JobRun::must_end() const {
    const auto& failures = record_.host_failures();
    return !may_begin_without() &&
           std::any_of(failures.begin(), failures.end(),
                       [this](const FailureMessage& failure) { return must_end_for(failure); });
}

/// Lost hosts that the job survived were reported at once.
std::vector<FailureMessage> JobRun::untold_failures() const {
    std::vector<FailureMessage> failures = record_.host_failures();
    std::erase_if(failures, [this](const FailureMessage& failure) {
        return std::find(told_losses_.begin(), told_losses_.end(), failure.node) !=
               told_losses_.end();
    });
    return failures;
}

/// The lost host by which the job gets its exit code: the one that ended it, or one that it
/// survived.
const FailureMessage* JobRun::host_failure() const {
    const FailureMessage* survived = nullptr;
    for (const auto& failure : record_.host_failures()) {
        if (must_end_for(failure)) return &failure;
        const bool costs = !record_.placed() || record_.has_ranks(failure);
        if (costs && survived == nullptr) survived = &failure;
    }
    return survived;
}

/// By a signal that came when the job could go on: launch took it for the end, or a rank did.
bool JobRun::ended_by_user() const {
    const ExitStatus by_it{ExitStatus::Kind::signalled, user_signal_};
    return user_signal_ != 0 &&
           (outcome_.signal != 0 || interrupt_ != 0 || outcome_.failed == by_it);
}

void JobRun::tell_outcome() {
    std::vector<std::string> lines;
    const auto add = [&lines](const std::vector<std::string>& more) {
        lines.insert(lines.end(), more.begin(), more.end());
    };
    const FailureMessage* fatal = host_failure();
    if (fatal != nullptr) add(host_failure_lines(untold_failures()));
    if (outcome_.error && lines != std::vector<std::string>{describe(*outcome_.error)})
        lines.push_back(describe(*outcome_.error));
    else if (fatal != nullptr && !ended_by_user())
        outcome_.error = fatal->error;
    add(stuck_rank_lines(record_));
    // A rank that fails because the user ends the job is not told.
    const bool failed_before = outcome_.failed && interrupt_ == 0;
    const auto killed = killed_ranks_line(record_);
    const bool is_told_to_end = outcome_.signal == SIGTERM || outcome_.signal == SIGHUP;
    if (is_told_to_end && !failed_before && !killed.empty()) lines.push_back(killed);
    const bool ranks_ended_by_themselves = outcome_.signal == 0 || failed_before || fetch_;
    if (ranks_ended_by_themselves) add(rank_failure_lines(record_, plan_.spec));
    if (ranks_ended_by_themselves) add(spawned_.failure_lines());
    if (abort_) lines.push_back(describe(abort_->error));
    if (fetch_) add(fetch_->failure_lines());
    if (const auto line = fetch_ ? fetch_->interrupted_line() : std::nullopt)
        lines.push_back(*line);
    if (!lines.empty() && !record_.started()) lines.back() += "; no rank was started";
    for (const auto& line : lines)
        console_.say(line);
    if (!outcome_.error && !ended_by_user()) outcome_.error = spawned_loss_;
    const bool failed = outcome_.error || outcome_.failed || outcome_.signal != 0;
    if (fetch_ && !failed) outcome_.error = fetch_->error();
}

awaitable<void> JobRun::run() {
    if (job_.policies.stats) outcome_.stats.emplace();
    if (job_.policies.costs) timeline_.emplace(plan_, times_.began);
    tasks_.spawn(reaper_.run());
    tasks_.spawn(watch_signals());
    tasks_.spawn(keep_timeout());
    tasks_.spawn(watch_for_hang());
    tasks_.spawn(show_progress());
    if (debugs_ != nullptr) tasks_.spawn(debugs_->run());
    if (shows_to_tools_) tasks_.spawn(show_to_tools());
    tell_plan();
    if (process_ != 0) door_.open(process_);
    tree_.start(plan_.late() ? std::nullopt : std::optional(assignment(plan_)));
    co_await wait_for_end();
    co_await tell_cores();
    co_await fetch_files();
    co_await finish();
}

}  // namespace launch
