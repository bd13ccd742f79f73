// SPDX-License-Identifier: MIT
#include "cmd/doctor/ask_within.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/clock.hpp"
#include "core/base/fd.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;

constexpr size_t most_text = 256u << 10;

[[noreturn]] void run_child(int out, const std::function<void(const Send&)>& answer) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // Libraries talk on what is our standard output, too.
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int fd : {0, 1, 2})
        dup2(nothing, fd);
    answer([out](const std::string& text) {
        for (size_t at = 0; at < text.size();) {
            const ssize_t n = write(out, text.data() + at, text.size() - at);
            if (n < 0 && errno != EINTR) _exit(1);
            if (n > 0) at += static_cast<size_t>(n);
        }
    });
    _exit(0);
}

/// Until its end, which is the end of the process.
void read_all(int in, Clock::time_point deadline, AnswerInTime& answer) {
    std::array<char, 4096> buffer;
    for (;;) {
        const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
        if (left.count() <= 0 || answer.text.size() > most_text) return;
        pollfd readable{in, POLLIN, 0};
        if (poll(&readable, 1, static_cast<int>(left.count())) <= 0) continue;
        const ssize_t n = read(in, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) continue;
        answer.in_time = n == 0;
        if (n <= 0) return;
        answer.text.append(buffer.data(), static_cast<size_t>(n));
    }
}

/// One that hangs in the kernel is init's when this process has ended.
void bury(pid_t child, bool ended) {
    constexpr int tries = 20;
    constexpr milliseconds pause{5};
    if (!ended) kill(child, SIGKILL);
    for (int i = 0; i < tries; ++i) {
        if (waitpid(child, nullptr, WNOHANG) != 0) return;
        Clock::pause(pause);
    }
}

}  // namespace

AnswerInTime ask_within(milliseconds limit, const std::function<void(const Send&)>& answer) {
    AnswerInTime got;
    const auto deadline = Clock::now() + limit;
    auto pipe = make_pipe();
    if (!pipe.first) return got;
    const pid_t child = fork();
    if (child < 0) return got;
    if (child == 0) run_child(pipe.second.get(), answer);
    pipe.second.reset();
    read_all(pipe.first.get(), deadline, got);
    bury(child, got.in_time);
    return got;
}

}  // namespace launch
