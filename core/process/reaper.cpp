#include "core/process/reaper.hpp"

#include <csignal>
#include <sys/wait.h>

namespace launch {

Reaper::Reaper(any_io_executor executor) : signals_(executor, SIGCHLD) {}

void Reaper::watch(pid_t pid, std::function<void(int)> exited, std::function<void(int)> stopped) {
    watched_[pid] = {std::move(exited), std::move(stopped)};
}

void Reaper::collect() {
    int status = 0;
    pid_t pid = 0;
    while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0) {
        const auto at = watched_.find(pid);
        if (at == watched_.end()) continue;
        if (WIFSTOPPED(status)) {
            if (at->second.stopped) at->second.stopped(WSTOPSIG(status));
            continue;
        }
        const auto exited = std::move(at->second.exited);
        watched_.erase(at);
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
