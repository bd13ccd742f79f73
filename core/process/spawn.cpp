// SPDX-License-Identifier: MIT
#include "core/process/spawn.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/environment.hpp"
#include "core/process/limits.hpp"
#include "core/process/program_search.hpp"

namespace launch {
namespace {

/// Everything the child needs, made before vfork: the child may not allocate.
struct Prepared {
    std::vector<std::string> paths;  ///< to try, in order
    std::vector<char*> argv;
    std::vector<char*> script_argv;  ///< for a file without "#!": /bin/sh FILE ARGS
    std::vector<char*> env;
    std::vector<int> open;  ///< descriptors from 3 on that are not closed, in order
    pid_t parent = 0;
    sigset_t unblocked{};
};

struct Outcome {
    ExitStatus::Stage stage = ExitStatus::Stage::none;
    int error = 0;
    bool used_fallback = false;
    bool failed = false;  ///< the child left without running the program
};

char* mutable_text(const std::string& text) {
    return const_cast<char*>(text.c_str());  // execve's signature; it does not write
}

Prepared prepare(const SpawnRequest& request) {
    Prepared p;
    p.paths = program_candidates(request.argv.at(0), env_value(request.env, "PATH"));
    if (!request.found.empty()) p.paths.insert(p.paths.begin(), request.found);
    for (const auto& word : request.argv)
        p.argv.push_back(mutable_text(word));
    p.argv.push_back(nullptr);
    static const std::string shell = "/bin/sh";
    p.script_argv = {mutable_text(shell), nullptr};
    p.script_argv.insert(p.script_argv.end(), p.argv.begin() + 1, p.argv.end());
    for (const auto& entry : request.env)
        p.env.push_back(mutable_text(entry));
    p.env.push_back(nullptr);
    if (request.keep_open) {
        p.open = *request.keep_open;
        p.open.insert(p.open.end(), request.inherit.begin(), request.inherit.end());
        std::erase_if(p.open, [](int fd) { return fd < 3; });
        std::sort(p.open.begin(), p.open.end());
    }
    p.parent = getpid();
    return p;
}

/// Only async-signal-safe calls from here: this runs in the vfork child.
bool enter_wdir(const SpawnRequest& request, Outcome& outcome) {
    if (request.wdir.empty() || chdir(request.wdir.c_str()) == 0) return true;
    outcome.error = errno;
    outcome.stage = ExitStatus::Stage::chdir;
    if (request.wdir_fallback.empty()) return false;
    outcome.used_fallback = true;
    return chdir(request.wdir_fallback.c_str()) == 0 || chdir("/") == 0;
}

/// The three streams may be numbered 0..2 themselves: first lift them out of the way.
bool place_streams(const SpawnRequest& request) {
    int wanted[3] = {request.stdin_fd, request.stdout_fd, request.stderr_fd};
    for (int& fd : wanted) {
        if (fd >= 0 && fd < 3) fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    }
    for (int target = 0; target < 3; ++target) {
        if (wanted[target] >= 0 && dup2(wanted[target], target) < 0) return false;
    }
    return true;
}

/// Tells folders apart, for which execve only reports that permission is denied.
bool is_folder(const std::string& path) {
    struct stat status {};
    return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

void run_program(Prepared& p, Outcome& outcome) {
    outcome.stage = ExitStatus::Stage::exec;
    outcome.error = search_program(p.paths, [&](const std::string& path) {
        execve(path.c_str(), p.argv.data(), p.env.data());
        if (errno == ENOEXEC) {
            p.script_argv[1] = mutable_text(path);
            execve(p.script_argv[0], p.script_argv.data(), p.env.data());
        }
        const int error = errno;
        return error == EACCES && is_folder(path) ? EISDIR : error;
    });
}

/// All have their default action. One that came for the group of the parent, who has it too, is
/// forgotten: a ^Z of the user's would stop this child, and with it the parent, who waits for it to
/// run the program.
void reset_signals() {
    sigset_t pending;
    sigpending(&pending);
    for (int signal = 1; signal < NSIG; ++signal) {
        if (signal == SIGKILL || signal == SIGSTOP) continue;
        if (sigismember(&pending, signal) == 1) ::signal(signal, SIG_IGN);  // which forgets it
        ::signal(signal, SIG_DFL);
    }
}

/// The kernel takes for granted that it has none of the CPUs that are beyond the set's words.
bool bind_to(const CpuSet& cpus, Outcome& outcome) {
    const auto words = cpus.words();
    const auto* mask = reinterpret_cast<const cpu_set_t*>(words.data());
    if (words.empty() || sched_setaffinity(0, words.size_bytes(), mask) == 0) return true;
    outcome.error = errno;
    outcome.stage = ExitStatus::Stage::bind;
    return false;
}

/// A kernel that cannot (before 5.9) closes them when the program runs.
void close_others(const std::vector<int>& open) {
#ifdef SYS_close_range
    unsigned from = 3;
    for (const int fd : open) {
        const auto kept = static_cast<unsigned>(fd);
        if (kept > from) syscall(SYS_close_range, from, kept - 1, 0U);
        from = std::max(from, kept + 1);
    }
    syscall(SYS_close_range, from, ~0U, 0U);
#endif
}

/// False: the start was given up meanwhile.
bool show_itself(SpawnInFlight& in_flight) {
    in_flight.pid = getpid();
    return !in_flight.cancelled;
}

void child_main(const SpawnRequest& request, Prepared& p, Outcome& outcome,
                SpawnInFlight* in_flight) {
    outcome.stage = ExitStatus::Stage::fork;
    if (request.own_terminal)
        setsid();
    else if (request.own_group)
        setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != p.parent) _exit(127);  // the parent died before the line above
    if (request.parent_may_trace) prctl(PR_SET_PTRACER, p.parent);
    reset_signals();
    if (in_flight != nullptr && !show_itself(*in_flight)) {
        outcome.error = ECANCELED;
        return;
    }
    for (const SoftLimit& limit : request.limits)
        set_soft_limit(limit);
    if (request.umask) umask(*request.umask);
    if (!bind_to(request.cpus, outcome)) return;
    if (!place_streams(request)) {
        outcome.error = errno;
        return;
    }
    if (request.own_terminal && ioctl(0, TIOCSCTTY, 0) != 0) {
        outcome.error = errno;
        return;
    }
    for (const int fd : request.inherit)
        fcntl(fd, F_SETFD, 0);
    if (request.keep_open) close_others(p.open);
    if (!enter_wdir(request, outcome)) return;
    sigprocmask(SIG_SETMASK, &p.unblocked, nullptr);
    run_program(p, outcome);
}

/// Kept apart and never inlined: nothing of the caller's frame is shared with the child.
[[gnu::noinline]] pid_t vfork_child(const SpawnRequest& request, Prepared& p, Outcome& outcome,
                                    SpawnInFlight* in_flight) {
    // posix_spawn cannot set a death signal, and tells less about what failed.
    const pid_t pid = vfork();  // NOLINT(clang-analyzer-security.insecureAPI.vfork)
    if (pid == 0) {
        child_main(request, p, outcome, in_flight);  // NOLINT(clang-analyzer-unix.Vfork)
        outcome.failed = true;  // seen by the parent: the memory is shared until exec or exit
        _exit(127);
    }
    return pid;
}

}  // namespace

SpawnResult spawn_process(const SpawnRequest& request, SpawnInFlight* in_flight) {
    Prepared prepared = prepare(request);
    Outcome outcome;
    // While parent and child share memory no handler of ours may run in the child.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    sigemptyset(&prepared.unblocked);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = vfork_child(request, prepared, outcome, in_flight);
    const int fork_error = errno;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);

    SpawnResult result;
    if (pid < 0) {
        result.failure = {ExitStatus::Kind::not_started, fork_error, ExitStatus::Stage::fork};
        return result;
    }
    result.used_fallback = outcome.used_fallback;
    if (outcome.failed) {
        if (in_flight != nullptr) in_flight->pid = 0;
        waitpid(pid, nullptr, 0);
        result.failure = {ExitStatus::Kind::not_started, outcome.error, outcome.stage};
        return result;
    }
    result.pid = pid;
    return result;
}

}  // namespace launch
