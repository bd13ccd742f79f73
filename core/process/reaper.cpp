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

Reaper::Reaper(any_io_executor executor) : signals_(executor, SIGCHLD) {}

Reaper::~Reaper() {
    const auto last = std::exchange(watched_, {});  // a callback may own the Watch that forgets it
}

Reaper::Watch Reaper::watch(pid_t pid, std::function<void(int)> exited,
                            std::function<void(int)> stopped) {
    const uint64_t number = ++watches_;
    watched_[pid] = {std::move(exited), std::move(stopped), number};
    return {*this, pid, number};
}

void Reaper::forget(pid_t pid, uint64_t number) {
    const auto at = watched_.find(pid);
    if (at != watched_.end() && at->second.number == number) watched_.erase(at);
}

void Reaper::collect() {
    int status = 0;
    pid_t pid = 0;
    rusage usage{};
    while ((pid = wait4(-1, &status, WNOHANG | WUNTRACED, &usage)) > 0) {
        const auto at = watched_.find(pid);
        if (at == watched_.end()) continue;
        if (WIFSTOPPED(status)) {
            if (at->second.stopped) at->second.stopped(WSTOPSIG(status));
            continue;
        }
        const auto exited = std::move(at->second.exited);
        watched_.erase(at);
        used_ = {us_of(usage.ru_utime) + us_of(usage.ru_stime),
                 static_cast<uint64_t>(usage.ru_maxrss)};
        exited(status);
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
