#include "core/process/guard.hpp"

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <new>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/process/descendants.hpp"
#include "core/process/remains.hpp"

namespace launch {

struct Guard::Legacy {
    std::atomic<bool> stopping = false;    ///< the worker stops, and the guard is to stop with it
    std::atomic<bool> has_folder = false;  ///< the path is complete
    char folder[PATH_MAX];
    Remains remains;
};

namespace {

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
        const timespec pause{0, 10'000'000};
        nanosleep(&pause, nullptr);
    }
}

/// nullptr: there is no memory for it.
Guard::Legacy* share_legacy() {
    void* const memory = mmap(nullptr, sizeof(Guard::Legacy), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? nullptr : new (memory) Guard::Legacy;
}

/// Only what is ours: the worker may have been refused a folder that somebody else made.
void remove_folder(const char* path) {
    struct stat info {};
    if (lstat(path, &info) != 0) return;
    if (!S_ISDIR(info.st_mode) || info.st_uid != geteuid()) return;
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
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

/// Handles what SIGCHLD told. True when the worker has ended, with its status.
bool worker_ended(pid_t worker, const Guard::Legacy* legacy, int& status) {
    pid_t pid = 0;
    while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0) {
        if (pid != worker) continue;
        if (!WIFSTOPPED(status)) return true;
        if (legacy != nullptr && !legacy->stopping) continue;
        raise(SIGSTOP);  // the shell is to see us stopped; it continues us with SIGCONT
        kill(worker, SIGCONT);
    }
    return false;
}

void close_descriptors_but(int kept) {
#ifdef SYS_close_range
    const auto fd = static_cast<unsigned>(kept);
    const bool below = kept <= 0 || syscall(SYS_close_range, 0u, fd - 1, 0u) == 0;
    if (below && syscall(SYS_close_range, fd + 1, ~0u, 0u) == 0) return;
#endif
    for (int each = 0; each < 256; ++each) {
        if (each != kept) close(each);
    }
}

/// Passes signals on to `child`; when it has ended calls `at_end` and ends as it did.
template <class F>
[[noreturn]] void stand_for(pid_t child, const sigset_t& watched, const Guard::Legacy* legacy,
                            F at_end) {
    for (;;) {
        siginfo_t info{};
        if (sigwaitinfo(&watched, &info) < 0) continue;
        if (info.si_signo != SIGCHLD) {
            pass_on(info, child);
            continue;
        }
        int status = 0;
        if (worker_ended(child, legacy, status)) {
            at_end();
            end_like(status);
        }
    }
}

[[noreturn]] void guard_main(pid_t worker, const sigset_t& watched, const Cgroup& cgroup,
                             Guard::Legacy* legacy) {
    // The worker alone holds the standard streams: their ends mean something.
    close_descriptors_but(cgroup.lock());
    remove_orphaned_cgroups();
    stand_for(worker, watched, legacy, [&] {
        cgroup.kill();
        sweep_descendants();
        cgroup.remove();
        if (legacy == nullptr) return;
        if (legacy->has_folder) remove_folder(legacy->folder);
        legacy->remains.remove_all();
    });
}

/// A shell that exec'd us may have left us children of its own (`sleep 9 & exec launch ...`, or a
/// process substitution). They are not the job's: a guard that is their parent, and that of all
/// their orphans, could not tell. So this process only stands for the guard, which is a new one.
void leave_children_alone(const sigset_t& watched, const Guard::Legacy* legacy) {
    siginfo_t info{};
    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return;  // there are none
    const pid_t guard = fork();
    if (guard > 0) {
        close_descriptors_but(-1);
        stand_for(guard, watched, legacy, [] {});
    }
    if (guard == 0) prctl(PR_SET_PDEATHSIG, SIGTERM);
}

}  // namespace

Guard Guard::split_process() {
    sigset_t watched;
    sigset_t before;
    sigemptyset(&watched);
    for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP,
                             SIGCONT, SIGPIPE, SIGALRM})
        sigaddset(&watched, signal);
    sigprocmask(SIG_BLOCK, &watched, &before);
    Legacy* const legacy = share_legacy();
    leave_children_alone(watched, legacy);
    become_subreaper();
    const pid_t self = getpid();
    Cgroup cgroup = Cgroup::make();
    pid_t worker = cgroup ? cgroup.fork_into() : -1;
    if (worker < 0) worker = fork();
    if (worker > 0) guard_main(worker, watched, cgroup, legacy);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    if (worker < 0) {  // no process to spare: better unguarded than not at all
        cgroup.remove();
        return {0, {}, nullptr};
    }
    become_subreaper();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    Guard guard(self, std::move(cgroup), legacy);
    if (guard.lost()) raise(SIGTERM);
    return guard;
}

Guard::~Guard() {
    if (!lost()) return;
    cgroup_.leave();
    cgroup_.remove();
}

void Guard::remove_at_end(const std::string& folder) const {
    if (legacy_ == nullptr) return;
    legacy_->has_folder = false;
    if (folder.empty() || folder.size() >= sizeof legacy_->folder) return;
    std::memcpy(legacy_->folder, folder.c_str(), folder.size() + 1);
    legacy_->has_folder = true;
}

Remains* Guard::remains() const {
    return legacy_ != nullptr ? &legacy_->remains : nullptr;
}

void Guard::stop() const {
    if (legacy_ != nullptr) legacy_->stopping = true;
    raise(SIGSTOP);
    if (legacy_ != nullptr) legacy_->stopping = false;
}

bool Guard::lost() const {
    return pid_ != 0 && getppid() != pid_;
}

}  // namespace launch
