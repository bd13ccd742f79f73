// SPDX-License-Identifier: MIT
#include "core/process/reaper.hpp"

#include <csignal>
#include <sys/resource.h>
#include <sys/wait.h>

namespace launch {
namespace {

uint64_t us_of(const timeval& time) {
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000 + static_cast<uint64_t>(time.tv_usec);
}

}  // namespace

Reaper::Reaper(any_io_executor executor) : executor_(executor), signals_(executor, SIGCHLD) {}

Reaper::~Reaper() {
    const auto last = std::exchange(watched_, {});  // a callback may own the Watch that forgets it
}

Reaper::Watch Reaper::watch(pid_t pid, std::function<void(int)> exited,
                            std::function<void(int)> stopped) {
    const uint64_t number = ++watches_;
    watched_[pid] = {std::move(exited), std::move(stopped), number};
    if (const auto kept = take_kept(pid))
        asio::post(executor_, [this, pid, number, kept] { tell(pid, number, *kept); });
    return {*this, pid, number};
}

std::shared_ptr<void> Reaper::expect() {
    auto expected = expected_.lock();
    if (!expected) {
        expected = std::make_shared<char>();
        expected_ = expected;
    }
    return expected;
}

/// Returns the status that was kept of this child, if any. A kept status may belong to an earlier
/// process with this number. A child that is still there has not ended, or its end is not collected
/// yet; and a process that was stopped is still there, or else its end is kept.
std::optional<Reaper::Kept> Reaper::take_kept(pid_t pid) {
    const auto at = kept_.find(pid);
    if (at == kept_.end()) return std::nullopt;
    const Kept kept = at->second;
    kept_.erase(at);
    siginfo_t info{};
    const bool is_there =
        waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0;
    if (is_there != WIFSTOPPED(kept.status)) return std::nullopt;
    return kept;
}

void Reaper::tell(pid_t pid, uint64_t number, const Kept& what) {
    const auto at = watched_.find(pid);
    if (at == watched_.end() || at->second.number != number) return;
    if (WIFSTOPPED(what.status)) {
        if (at->second.stopped) at->second.stopped(WSTOPSIG(what.status));
        return;
    }
    const auto exited = std::move(at->second.exited);
    watched_.erase(at);
    used_ = what.used;
    exited(what.status);
}

void Reaper::forget(pid_t pid, uint64_t number) {
    const auto at = watched_.find(pid);
    if (at != watched_.end() && at->second.number == number) watched_.erase(at);
}

void Reaper::collect() {
    if (expected_.expired()) kept_.clear();
    int status = 0;
    pid_t pid = 0;
    rusage usage{};
    while ((pid = wait4(-1, &status, WNOHANG | WUNTRACED, &usage)) > 0) {
        const Kept what{status,
                        {us_of(usage.ru_utime) + us_of(usage.ru_stime),
                         static_cast<uint64_t>(usage.ru_maxrss)}};
        const auto at = watched_.find(pid);
        if (at != watched_.end())
            tell(pid, at->second.number, what);
        else if (!expected_.expired())
            kept_[pid] = what;
    }
}

awaitable<void> Reaper::run() {
    while (!stopped_) {
        collect();
        std::error_code ec;
        auto token = asio::redirect_error(asio::use_awaitable, ec);
        co_await signals_.async_wait(token);
    }
}

void Reaper::stop() {
    stopped_ = true;
    signals_.cancel();
}

}  // namespace launch
