// SPDX-License-Identifier: MIT
// Looks whether the job hangs (--hang). core/head/hang_watch.hpp decides.

#include "core/head/job_run.hpp"
#include "core/head/waiting.hpp"
#include "core/job/rank_list.hpp"
#include "core/link/patience.hpp"

namespace launch {

/// The job is not to blame for what it waits for: what the user types, the reader of its output,
/// or processes that ranks have spawned. And when its ranks have ended, launch fetches files.
bool JobRun::waits_for_others() const {
    return record_.running() == 0 || input_.is_reading() || outputs_under_way_ > 0 ||
           spawned_.running() > 0;
}

awaitable<HangWatch::Sample> JobRun::sample_ranks() {
    HangWatch::Sample sample{Clock::now(), false, {}};
    SurveyOrder order{0, SurveyOrder::Subject::usage, {}, patience::usage};
    auto answer = co_await survey(std::move(order));
    sample.ranks = std::move(answer.merged.ranks);
    sample.complete = answer.silent.empty() && sample.ranks.size() == record_.running();
    co_return sample;
}

awaitable<HangWatch::Step> JobRun::look_for_hang() {
    auto sample = co_await sample_ranks();
    auto step = hang_->step(std::move(sample));
    while (step == HangWatch::Step::stacks) {
        SurveyOrder order{0, SurveyOrder::Subject::stacks, runs_of(hang_->suspects()),
                          patience::stacks};
        const auto answer = co_await survey(std::move(order));
        step = hang_->step(answer.merged.stacks);
    }
    if (!hang_->unknown().empty() && !std::exchange(told_unknown_hang_, true))
        console_.note("note: --hang cannot tell whether ranks only poll in MPI: " +
                      hang_->unknown());
    co_return step;
}

awaitable<void> JobRun::watch_for_hang() {
    if (!hang_) co_return;
    while (!record_.started() && !is_over())
        co_await changed_.wait();
    hang_->progress(Clock::now());
    while (!is_over() && !is_ending()) {
        if (Clock::now() < hang_->due()) {
            co_await changed_.wait_until(hang_->due());
            continue;
        }
        auto step = HangWatch::Step::wait;
        if (waits_for_others())
            hang_->progress(Clock::now());
        else
            step = co_await look_for_hang();
        if (step == HangWatch::Step::hangs) co_await end_hanging();
    }
}

/// The job may go on or end while the stacks are read: then it does not hang, and they are not
/// shown.
awaitable<void> JobRun::end_hanging() {
    SurveyOrder order{0, SurveyOrder::Subject::stacks, {}, patience::stacks};
    SurveyDesk::Answer answer;
    const bool shows = stacks_told_ == StacksTold::no && !is_ending();
    if (shows) answer = co_await survey(std::move(order));
    if (is_over() || is_ending()) co_return;
    if (waits_for_others()) hang_->progress(Clock::now());
    if (!hang_->verdict()) co_return;
    if (shows) say_stacks(answer, patience::stacks);
    fail_job(hang_error(*hang_->verdict(), plan_.spec.hang));
}

}  // namespace launch
