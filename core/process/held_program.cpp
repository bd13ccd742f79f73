// SPDX-License-Identifier: MIT
#include "core/process/held_program.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/fd.hpp"

namespace launch {
namespace {

constexpr int cannot_execute = 126;

/// Stops `process` when it has executed its program: by ptrace(2), which reports that, and by a
/// signal that is pending when ptrace lets it go.
void stop_at_program(pid_t process, int ready) {
    if (ptrace(PTRACE_SEIZE, process, nullptr, PTRACE_O_TRACEEXEC) != 0) return;
    const char seized = 0;
    if (write(ready, &seized, 1) != 1) return;
    int status = 0;
    while (waitpid(process, &status, __WALL) == process && WIFSTOPPED(status)) {
        const bool has_executed = status >> 16 == PTRACE_EVENT_EXEC;
        if (has_executed) kill(process, SIGSTOP);
        ptrace(has_executed ? PTRACE_DETACH : PTRACE_CONT, process, nullptr,
               has_executed ? 0 : WSTOPSIG(status));
        if (has_executed) return;
    }
}

/// Starts the process that does so. It is not a child of this one, whose program expects none.
void start_stopper() {
    FdPair ready = make_pipe();
    const pid_t self = getpid();
    const pid_t between = fork();
    if (between == 0) {
        const pid_t stopper = fork();
        if (stopper == 0) stop_at_program(self, ready.second.get());
        _exit(0);
    }
    if (between < 0) return;
    waitpid(between, nullptr, 0);
    ready.second.reset();
    char seized = 0;
    // Without ptrace the program runs on, as without a debugger.
    while (read(ready.first.get(), &seized, 1) < 0 && errno == EINTR) {
    }
}

}  // namespace

std::vector<std::string> held_command(const std::vector<std::string>& program) {
    std::vector<std::string> words{"/proc/self/exe", held_word};
    words.insert(words.end(), program.begin(), program.end());
    return words;
}

int run_held_program(const std::vector<std::string>& words) {
    if (words.empty()) return cannot_execute;
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);  // as any debugger of the user is to attach itself
    start_stopper();
    std::vector<char*> argv;
    for (const auto& word : words)
        argv.push_back(const_cast<char*>(word.c_str()));  // execvp(3) changes none
    argv.push_back(nullptr);
    execvp(argv[0], argv.data());
    fprintf(stderr, "launch: %s: cannot execute: %s\n", argv[0], strerror(errno));
    return cannot_execute;
}

}  // namespace launch
