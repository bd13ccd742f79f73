// SPDX-License-Identifier: MIT
#include "cmd/session/background.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/exit_code.hpp"
#include "core/base/shortage.hpp"

namespace launch {
namespace {

sigset_t passed_signals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        sigaddset(&set, number);
    return set;
}

}  // namespace

Result<Background> Background::split(Alone alone) {
    const pid_t starter = getpid();
    auto [reader, writer] = make_pipe();
    if (!reader) return os_error("make a pipe", errno);
    const pid_t child = fork();
    if (child < 0) {
        Error error;
        error.operation = "start a process";
        error.cause = no_process_text(errno);
        return error;
    }
    if (child == 0) {
        setsid();
        if (alone == Alone::ends) prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != starter) _exit(exit_code::signal_base + SIGTERM);
        return Background(0, std::move(writer));
    }
    return Background(child, std::move(reader));
}

bool Background::ready(const std::string& text) {
    const ssize_t written = write(pipe_.get(), text.data(), text.size());
    if (written < 0) return false;
    const UniqueFd null(open("/dev/null", O_RDWR | O_CLOEXEC));
    for (int fd = 0; fd < 3; ++fd)
        dup2(null.get(), fd);
    pipe_.reset();
    return true;
}

std::optional<std::string> Background::wait() {
    const sigset_t passed = passed_signals();
    sigset_t before;
    sigprocmask(SIG_BLOCK, &passed, &before);
    const UniqueFd signals(signalfd(-1, &passed, SFD_CLOEXEC));
    const std::string text = read_passing_signals(signals.get());
    sigprocmask(SIG_SETMASK, &before, nullptr);
    if (!text.empty()) return text;
    reap();
    return std::nullopt;
}

/// Returns what the background process writes until it closes the pipe.
std::string Background::read_passing_signals(int signals) const {
    std::string text;
    std::array<char, 256> buffer{};
    std::array<pollfd, 2> both{{{pipe_.get(), POLLIN, 0}, {signals, POLLIN, 0}}};
    for (;;) {
        if (poll(both.data(), both.size(), -1) < 0 && errno != EINTR) return {};
        signalfd_siginfo info{};
        if ((both[1].revents & POLLIN) != 0 && read(signals, &info, sizeof info) == sizeof info)
            kill(child_, static_cast<int>(info.ssi_signo));
        if (both[0].revents == 0) continue;
        const ssize_t n = read(pipe_.get(), buffer.data(), buffer.size());
        if (n <= 0) return text;
        text.append(buffer.data(), static_cast<size_t>(n));
    }
}

void Background::stop() {
    kill(child_, SIGTERM);
    reap();
}

void Background::reap() {
    int status = 0;
    while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    exit_code_ =
        WIFEXITED(status) ? WEXITSTATUS(status) : exit_code::signal_base + WTERMSIG(status);
}

}  // namespace launch
