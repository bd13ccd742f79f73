// SPDX-License-Identifier: MIT
// Handles signals of the user, time limits and progress.

#include <algorithm>
#include <csignal>

#include "core/base/counted.hpp"
#include "core/base/seconds.hpp"
#include "core/head/job_run.hpp"
#include "core/head/phase_text.hpp"
#include "core/head/start_progress.hpp"
#include "core/head/waiting.hpp"
#include "core/process/status_signal.hpp"

namespace launch {
namespace {

constexpr milliseconds progress_after{1000};
constexpr milliseconds progress_every{500};
/// Ranks that are about to end when they are interrupted are not worth a word.
constexpr milliseconds interrupt_settles{500};
/// So long what a rank with the user's terminal wrote last may take to be shown.
constexpr milliseconds terminal_drains{1000};

}  // namespace

awaitable<void> JobRun::watch_signals() {
    for (;;) {
        const int number = co_await signals_->next();
        if (number == 0 || stage_ == Stage::told_all) co_return;
        handle_signal(number);
    }
}

/// The rank that has it runs, and reads.
void JobRun::take_terminal() {
    if (is_over() || terminal_.is_raw() || !has_terminal_rank()) return;
    console_.set_raw(job_.policies.stdin_target.rank);
    terminal_.begin();
    tell_window();  // it may have changed since the job began
}

awaitable<void> JobRun::give_terminal_back() {
    // The last output of the rank belongs on the terminal in the mode that the rank has set.
    if (terminal_.is_raw()) co_await console_.drain();
    terminal_.end();
    console_.set_raw({});
}

/// Gives the terminal back once its rank has ended: the user's keys are for the other ranks then,
/// and ^C is a signal again.
void JobRun::leave_terminal() {
    if (!terminal_.is_raw() || has_terminal_rank() || is_over()) return;
    if (std::exchange(leaves_terminal_, true)) return;
    tasks_.spawn(give_terminal_back());
    tasks_.spawn(leave_terminal_late());
}

/// Other ranks may write without a pause, so that the output of the one that ended is never said to
/// be written.
awaitable<void> JobRun::leave_terminal_late() {
    const auto due = Clock::now() + terminal_drains;
    while (!is_over() && Clock::now() < due)
        co_await changed_.wait_until(due);
    if (is_over()) co_return;  // finish() gives it back
    terminal_.end();
    console_.set_raw({});
}

void JobRun::tell_window() {
    const WindowSize size = terminal_.window();
    order(FrameType::window, uint64_t{size.rows} << 16 | size.columns);
}

void JobRun::handle_signal(int number) {
    if (number == SIGWINCH) {
        if (job_.policies.output.pty == PtyChoice::user && !is_over()) tell_window();
        return;
    }
    if (number == SIGTERM && guard_.lost()) {
        console_.give_up();
        end_job(milliseconds{500});
        return;
    }
    const bool may_interrupt =
        debugs_ != nullptr && record_.started() && !is_ending() && !fetching_;
    if (number == SIGINT && may_interrupt && !is_over() && debugs_->interrupt()) return;
    const auto action = signal_policy_.decide(number, Clock::now());
    if (action == SignalPolicy::Action::ignore) return;
    if (action == SignalPolicy::Action::tell) return tell_status();
    if (fetching_) return stop_fetching(number);
    if (is_over()) return handle_late_signal(number);
    if (!is_ending() && !must_end()) user_signal_ = number;
    answers_.sent(number, Clock::now());
    act_on(action, number);
}

void JobRun::act_on(SignalPolicy::Action action, int number) {
    switch (action) {
        case SignalPolicy::Action::ignore:
        case SignalPolicy::Action::tell: return;
        case SignalPolicy::Action::kill:
            console_.give_up();
            outcome_.signal = number;
            if (is_ending() || stacks_told_ == StacksTold::yes)
                end_job(milliseconds{0});
            else
                tasks_.spawn(kill_job());
            return;
        case SignalPolicy::Action::stop: tasks_.spawn(stop_here()); return;
        case SignalPolicy::Action::forward:
            signal_all(number);
            // Nothing to interrupt yet: the start itself is what the user means.
            if ((number == SIGINT || number == SIGQUIT) &&
                !(record_.all_known() && record_.started())) {
                outcome_.signal = number;
                end_job(job_.policies.kill_grace);
            } else if (number == SIGINT)
                tasks_.spawn(tell_interrupted());
            return;
        case SignalPolicy::Action::forward_and_end:
            signal_all(number);
            outcome_.signal = number;
            end_job(job_.policies.kill_grace);
            tasks_.spawn(give_up_late());
            return;
    }
}

/// Everything has ended except output that its reader has not taken yet, some of it perhaps on
/// hosts.
void JobRun::handle_late_signal(int number) {
    if (number == SIGTSTP) tasks_.spawn(stop_here());
    if (number == SIGCONT) signal_all(SIGCONT);
    if (number != SIGINT && number != SIGQUIT && number != SIGTERM && number != SIGHUP) return;
    outcome_.signal = number;
    console_.give_up();
}

/// Stops waiting for a reader of the last output, so that a job that is to end does end. The reader
/// gets the same time again as the ranks had.
awaitable<void> JobRun::give_up_late() {
    const auto deadline = Clock::now() + job_.policies.kill_grace * 2;
    while (stage_ != Stage::told_all && Clock::now() < deadline)
        co_await changed_.wait_until(deadline);
    console_.give_up();
}

awaitable<void> JobRun::tell_interrupted() {
    const auto due = Clock::now() + interrupt_settles;
    while (!is_over() && Clock::now() < due)
        co_await changed_.wait_until(due);
    const auto line = interrupted_line(record_);
    if (!is_over() && !is_ending() && !line.empty()) console_.hint(line);
}

/// Handles ^Z: stops the ranks first, announces the pause to the relays so that they do not count
/// the head as lost, then stops this process as the shell expects. SIGCONT reaches the ranks like
/// any signal.
awaitable<void> JobRun::stop_here() {
    signal_all(SIGTSTP);
    tree_.pause();
    co_await sleep_for(executor_, milliseconds{50});
    const bool was_raw = terminal_.is_raw();
    terminal_.end();
    if (debugs_ != nullptr) debugs_->pause();
    guard_.stop();
    if (debugs_ != nullptr) debugs_->resume();
    if (was_raw && has_terminal_rank())
        terminal_.begin();
    else
        console_.set_raw({});
    tree_.resume();
    progressed();
}

/// Before ranks run, or once they are to end.
std::string JobRun::waited_for() const {
    return progress_line(record_, starts_, is_ending(),
                         TimeTaken{since_began(), plan_.start_limit});
}

/// For a line that is redrawn: what is waited for, or how far the job is.
std::string JobRun::progress_now() const {
    if (fetching_) return "fetching files";
    std::string line = waited_for();
    if (line.empty() && debugs_ != nullptr) return debugs_->waited_for();
    const bool runs = line.empty() && !is_ending() && record_.started();
    if (!runs || input_wanted_ || !console_.is_calm()) return line;
    return running_line(record_, {since_began(), plan_.spec.timeout});
}

/// Asked for, and so told with --quiet, too.
void JobRun::tell_status() {
    console_.say("status: " +
                 status_line(record_, waited_for(), {since_began(), plan_.spec.timeout}));
}

void JobRun::tell_long_start() {
    const std::string line = progress_line(record_, starts_, is_ending());
    if (line.empty() || is_ending()) return;
    const std::string note = "note: " + line + ", " + after(since_began());
    const bool starts = !record_.missing_nodes().empty();
    console_.note(starts ? note + "; " + start_limits(job_.policies) : note);
}

awaitable<void> JobRun::show_progress() {
    auto next = Clock::now() + progress_after;
    LongStart long_start(Clock::now());
    while (!is_over()) {
        co_await changed_.wait_until(std::min(next, notices_.due()));
        const auto now = Clock::now();
        if (now >= notices_.due()) tell_notices();
        if (now < next) continue;
        next = now + progress_every;
        if (console_.has_progress())
            console_.progress(progress_now());
        else if (long_start.is_due(now, console_.said_at()))
            tell_long_start();
    }
}

awaitable<void> JobRun::keep_timeout() {
    const auto limit = plan_.spec.timeout;
    if (limit.count() == 0) co_return;
    const auto deadline = Clock::now() + limit;
    while (!is_over() && Clock::now() < deadline)
        co_await changed_.wait_until(deadline);
    if (!is_over()) co_await tell_stacks(patience::stacks);
    if (!is_over()) fail_job(timeout_error(record_, starts_, plan_.spec.timeout_name, limit));
}

void JobRun::tell_plan() {
    start_told_ = StartTold::plan;
    if (!job_.policies.verbose) return;
    for (const auto& line : plan_lines(plan_))
        tell(line);
}

/// Once, and not on this machine alone, which needs no start.
void JobRun::tell_up() {
    if (start_told_ != StartTold::plan || plan_.local || !record_.all_known()) return;
    start_told_ = StartTold::up;
    tell(up_line(record_, since_began()));
}

void JobRun::tell_run() {
    tell("run: " + counted(record_.running(), "rank") + " may start, after " +
         in_seconds(since_began()));
}

void JobRun::tell_notices() {
    for (const auto& line : notices_.take()) {
        if (line.asked)
            console_.say(line.text);
        else
            console_.note(line.text);
    }
}

}  // namespace launch
