// SPDX-License-Identifier: MIT
// Files that are fetched when the ranks have ended.

#include <csignal>

#include "core/head/job_run.hpp"

namespace launch {

/// Also where a rank has failed: what it left may say why. Not where the user wants the end.
awaitable<void> JobRun::fetch_files() {
    const bool timed_out = outcome_.error && outcome_.error->kind == ErrorKind::timed_out;
    if (fetches_.empty() || !record_.started() || outcome_.signal != 0 || timed_out) co_return;
    std::vector<uint32_t> hosts;
    const auto up = record_.up();
    for (const uint32_t host : plan_.placement.used())
        if (host < up.size() && up[host]) hosts.push_back(host);
    fetch_.emplace(executor_, FetchRun::Settings{plan_, ground_, log_});
    fetching_ = true;
    for (const auto& spec : fetches_)
        co_await fetch_->run(spec, hosts);
    fetching_ = false;
    for (const auto& line : fetch_->notes())
        console_.note(line);
}

/// Ends the fetch by a signal; unfinished copies are removed.
void JobRun::stop_fetching(int number) {
    if (number == SIGTSTP) tasks_.spawn(stop_here());
    if (number != SIGINT && number != SIGQUIT && number != SIGTERM && number != SIGHUP) return;
    outcome_.signal = number;
    fetch_->end(job_.policies.kill_grace);
}

}  // namespace launch
