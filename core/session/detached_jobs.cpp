// SPDX-License-Identifier: MIT
#include "core/session/detached_jobs.hpp"

namespace launch {

void DetachedJobs::begin(JobNumber job, std::string output) {
    jobs_.try_emplace(job, Job{std::move(output), std::nullopt});
}

void DetachedJobs::end(JobNumber job, std::optional<int> exit_code) {
    const auto at = jobs_.find(job);
    if (at == jobs_.end() || at->second.outcome) return;
    SessionAnswer outcome;
    outcome.kind = exit_code ? SessionAnswer::Kind::done : SessionAnswer::Kind::killed;
    outcome.exit_code = exit_code.value_or(0);
    at->second.outcome = outcome;
    ended_.push_back(job);
    if (ended_.size() <= most_remembered) return;
    jobs_.erase(ended_.front());
    ended_.pop_front();
}

std::string DetachedJobs::output(JobNumber job) const {
    const auto at = jobs_.find(job);
    return at == jobs_.end() ? std::string() : at->second.output;
}

std::optional<SessionAnswer> DetachedJobs::outcome(JobNumber job) const {
    const auto at = jobs_.find(job);
    if (at != jobs_.end()) return at->second.outcome;
    SessionAnswer none;
    none.kind = SessionAnswer::Kind::not_detached;
    return none;
}

}  // namespace launch
