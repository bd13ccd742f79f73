// SPDX-License-Identifier: MIT
// Processes that ranks ask for.

#include <algorithm>

#include "core/head/job_run.hpp"
#include "core/head/report.hpp"

namespace launch {

void JobRun::signal_all(int number) {
    tree_.signal({number});
    spawned_.signal({number});
}

/// The rank itself hears less: MPI has one word for all of it.
void JobRun::spawn_refused(const std::string& rank, const std::string& what,
                           const std::string& why) {
    if (!is_ending()) console_.note("rank " + rank + " could not " + what + ": " + why);
}

/// The job's own part may know of the loss, and have ended the job. The host is reported also if
/// it is not one of the job's own, as with the hosts of a session.
void JobRun::host_lost(const FailureMessage& failure) {
    if (is_ending()) return;
    spawned_.tell_hosts(false, {failure.error.host});
    spawned_.tell_lost(failure);
    const bool goes_on = job_.policies.survives_host_loss();
    const auto& told = record_.host_failures();
    const bool is_news = std::none_of(told.begin(), told.end(), [&](const auto& each) {
        return each.error.host == failure.error.host;
    });
    for (const auto& line : host_failure_lines({failure}))
        if (is_news) console_.say(line + (goes_on ? spawned_are_lost : ""));
    if (goes_on && !spawned_loss_) spawned_loss_ = failure.error;
    if (goes_on) return;
    if (!outcome_.error) outcome_.error = failure.error;
    end_job(job_.policies.kill_grace);
}

}  // namespace launch
