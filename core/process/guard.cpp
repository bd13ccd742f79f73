// SPDX-License-Identifier: MIT
#include "core/process/guard.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/clock.hpp"
#include "core/process/descendants.hpp"
#include "core/process/guard_memory.hpp"
#include "core/process/host_cpus.hpp"
#include "core/process/status_signal.hpp"

namespace launch {

namespace {

constexpr std::chrono::milliseconds sweep_pause{10};
constexpr int sweep_rounds = 200;
constexpr int patient_rounds = 50;

/// SIGKILLs what is left below this process until nothing is, for at most two seconds, and for
/// half a one where all wait uninterruptibly: they die later, by the signal they already have.
void sweep_descendants() {
    for (int round = 0; round < sweep_rounds; ++round) {
        while (waitpid(-1, nullptr, WNOHANG) > 0) {
        }
        if (signal_descendants(SIGKILL) == 0) return;
        if (round > patient_rounds && all_wait_uninterruptibly(descendants_of(getpid()))) return;
        Clock::pause(sweep_pause);
    }
}

[[noreturn]] void end_like(int status) {
    if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    signal(WTERMSIG(status), SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    raise(WTERMSIG(status));
    _exit(128 + WTERMSIG(status));
}

/// A signal that the whole process group got from the terminal has reached the worker already;
/// one that a process sent to the guard alone has not.
void pass_on(const siginfo_t& info, pid_t worker) {
    if (info.si_code <= 0) kill(worker, info.si_signo);
}

/// Handles what SIGCHLD told. True when the child has ended, with its status.
template <class F>
bool child_ended(pid_t child, int& status, F stopped) {
    pid_t pid = 0;
    while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0) {
        if (pid != child) continue;
        if (!WIFSTOPPED(status)) return true;
        stopped(WSTOPSIG(status));
    }
    return false;
}

/// A descriptor of -1 is none.
void close_descriptors_but(int one, int other) {
    const auto [first, last] = std::minmax(one, other);
    const auto close_between = [](int after, int before) {
        if (before <= after + 1) return;
#ifdef SYS_close_range
        const auto from = static_cast<unsigned>(after + 1);
        if (syscall(SYS_close_range, from, static_cast<unsigned>(before - 1), 0u) == 0) return;
#endif
        for (int each = after + 1; each < std::min(before, 256); ++each)
            close(each);
    };
    close_between(-1, first);
    close_between(first, last);
    close_between(last, INT_MAX);
}

/// Stops as the child has; whoever continues this process means the child.
void stop_with(pid_t child) {
    raise(SIGSTOP);
    kill(child, SIGCONT);
}

[[noreturn]] void stand_for(pid_t guard, const sigset_t& watched) {
    // The worker alone holds the standard streams: their ends mean something.
    close_descriptors_but(-1, -1);
    for (;;) {
        siginfo_t info{};
        int status = 0;
        if (sigwaitinfo(&watched, &info) < 0) continue;
        if (info.si_signo != SIGCHLD)
            pass_on(info, guard);
        else if (child_ended(guard, status, [&](int) { stop_with(guard); }))
            end_like(status);
    }
}

/// The processes and files that a guard looks after.
struct Ward {
    pid_t worker = 0;
    pid_t stand_in = 0;  ///< its parent, which stands for it in the shell's job; 0: none does
    const Cgroup& cgroup;
    GuardMemory* memory;

    bool stand_in_killed() const { return stand_in != 0 && getppid() != stand_in; }
    void stopped(int signal) const {
        // By ^Z it is stopped without its own doing only before it has a handler for that.
        if (memory != nullptr && !memory->stopping && signal != SIGTSTP) return;
        if (stand_in == 0) return stop_with(worker);
        // The guard itself goes on: stopped, it would miss the SIGKILL of all others. The shell
        // continues them.
        if (!stand_in_killed()) kill(stand_in, SIGSTOP);
    }
    void clean_up(const OrphanCleanup& cleanup) const {
        if (memory != nullptr) memory->terminal().restore();
        cgroup.kill();
        cleanup.wait();
        sweep_descendants();
        cgroup.remove();
        if (memory != nullptr) memory->clean_up();
        HostCpus::remove_unused();
        OrphanCleanup::start().wait();  // of relays here: a slow guard is killed
    }
};

[[noreturn]] void guard_main(const Ward& ward, const sigset_t& watched) {
    close_descriptors_but(ward.cgroup.lock(), ward.memory != nullptr ? ward.memory->lock() : -1);
    if (ward.stand_in != 0) setsid();
    remove_orphaned_cgroups();
    const OrphanCleanup cleanup = OrphanCleanup::start();
    for (;;) {
        siginfo_t info{};
        int status = 0;
        if (sigwaitinfo(&watched, &info) < 0) continue;
        if (ward.stand_in_killed() && ward.memory != nullptr) ward.memory->abandoned = true;
        if (info.si_signo != SIGCHLD) {
            pass_on(info, ward.worker);
        } else if (child_ended(ward.worker, status, [&](int signal) { ward.stopped(signal); })) {
            ward.clean_up(cleanup);
            end_like(status);
        }
    }
}

/// Returns, in the guard, the process that stands in for it. 0: no process does.
/// A shell that exec'd us may have left us children of its own (`sleep 9 & exec launch ...`, or a
/// process substitution). They are not the job's: a guard that is their parent, and that of all
/// their orphans, could not tell.
pid_t leave_stand_in(Guard::Role role, const sigset_t& watched) {
    if (role == Guard::Role::relay && !has_children()) return 0;
    const pid_t stand_in = getpid();
    const pid_t guard = fork();
    if (guard > 0) stand_for(guard, watched);
    if (guard < 0) return 0;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != stand_in) _exit(128 + SIGKILL);
    return stand_in;
}

}  // namespace

Guard Guard::split_process(Role role) {
    sigset_t watched;
    sigset_t before;
    sigemptyset(&watched);
    for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP,
                             SIGCONT, SIGPIPE, SIGALRM, status_signal()})
        sigaddset(&watched, signal);
    sigprocmask(SIG_BLOCK, &watched, &before);
    const pid_t stand_in = leave_stand_in(role, watched);
    become_subreaper();
    const pid_t self = getpid();
    GuardMemory* const memory = GuardMemory::share();
    Cgroup cgroup = Cgroup::make();
    pid_t worker = cgroup ? cgroup.fork_into() : -1;
    if (worker < 0) worker = fork();
    if (worker > 0) guard_main({worker, stand_in, cgroup, memory}, watched);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    if (worker < 0) {  // no process to spare: better unguarded than not at all
        cgroup.remove();
        if (memory != nullptr) memory->clean_up();
        return none();
    }
    if (role == Role::relay) setsid();
    become_subreaper();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    Guard guard(self, std::move(cgroup), memory);
    if (guard.lost()) raise(SIGTERM);
    return guard;
}

Guard::~Guard() {
    if (!dead()) return;
    cgroup_.leave();
    cgroup_.remove();
    if (memory_ != nullptr) memory_->clean_up();
}

void Guard::remove_at_end(const std::string& folder) const {
    if (memory_ != nullptr) memory_->set_folder(folder);
}

RemovalList* Guard::to_remove() const {
    return memory_ != nullptr ? &memory_->to_remove() : nullptr;
}

SavedTerminal* Guard::terminal() const {
    return memory_ != nullptr ? &memory_->terminal() : nullptr;
}

void Guard::stop() const {
    if (memory_ != nullptr) memory_->stopping = true;
    raise(SIGSTOP);
    if (memory_ != nullptr) memory_->stopping = false;
}

bool Guard::dead() const {
    return pid_ != 0 && getppid() != pid_;
}

bool Guard::lost() const {
    return dead() || (memory_ != nullptr && memory_->abandoned);
}

}  // namespace launch
