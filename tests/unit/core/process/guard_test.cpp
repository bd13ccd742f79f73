// SPDX-License-Identifier: MIT
#include "core/process/guard.hpp"

#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/fd.hpp"
#include "core/process/process_stat.hpp"
#include "tests/unit/core/harness/comes_true.hpp"

namespace launch {
namespace {

bool exists(const std::string& path) {
    struct stat info {};
    return lstat(path.c_str(), &info) == 0;
}

/// A folder of the test, with a file and a folder in it.
std::string make_folder() {
    std::string path = "/tmp/guard-test-XXXXXX";
    EXPECT_NE(mkdtemp(path.data()), nullptr);
    EXPECT_EQ(mkdir((path + "/inner").c_str(), S_IRWXU), 0);
    EXPECT_EQ(mkfifo((path + "/inner/file").c_str(), S_IRWXU), 0);
    return path;
}

/// Runs `work` as a guarded worker; how guard and worker end.
template <class Work>
int run_guarded(Work work) {
    const pid_t pid = fork();
    if (pid == 0) {
        const auto guard = Guard::split_process(Guard::Role::relay);
        work(guard);
        _exit(0);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    return status;
}

TEST(Guard, RemovesTheFolderOfAWorkerThatIsKilled) {
    const std::string path = make_folder();
    const int status = run_guarded([&](const Guard& guard) {
        guard.remove_at_end(path);
        raise(SIGKILL);
    });
    EXPECT_EQ(WTERMSIG(status), SIGKILL);
    EXPECT_FALSE(exists(path));
}

TEST(Guard, LeavesAFolderThatIsTakenBack) {
    const std::string path = make_folder();
    run_guarded([&](const Guard& guard) {
        guard.remove_at_end(path);
        guard.remove_at_end("");
    });
    EXPECT_TRUE(exists(path));
    run_guarded([&](const Guard& guard) { guard.remove_at_end(path); });
    EXPECT_FALSE(exists(path));
}

TEST(Guard, DoesNotFollowALink) {
    const std::string path = make_folder();
    const std::string link = path + "-link";
    ASSERT_EQ(symlink(path.c_str(), link.c_str()), 0);
    run_guarded([&](const Guard& guard) { guard.remove_at_end(link); });
    EXPECT_TRUE(exists(path + "/inner/file"));
    unlink(link.c_str());
    run_guarded([&](const Guard& guard) { guard.remove_at_end(path); });
}

/// Of a worker that runs as `role`: its session and group, and those of its guard.
struct Places {
    pid_t started, guard, guard_session, worker_session, worker_group;
};

Places places_of(Guard::Role role) {
    int pipe_ends[2];
    EXPECT_EQ(pipe(pipe_ends), 0);
    const pid_t started = fork();
    if (started == 0) {
        setsid();
        const auto guard = Guard::split_process(role);
        EXPECT_TRUE(role == Guard::Role::relay ||
                    comes_true([] { return getsid(getppid()) == getppid(); }));
        const Places at{0, getppid(), getsid(getppid()), getsid(0), getpgrp()};
        EXPECT_EQ(write(pipe_ends[1], &at, sizeof at), static_cast<ssize_t>(sizeof at));
        _exit(5);
    }
    Places places{};
    EXPECT_EQ(read(pipe_ends[0], &places, sizeof places), static_cast<ssize_t>(sizeof places));
    int status = 0;
    waitpid(started, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 5);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    places.started = started;
    return places;
}

TEST(Guard, IsNotKilledWithTheWorkersGroup) {
    const Places head = places_of(Guard::Role::head);
    EXPECT_NE(head.guard, head.started);
    EXPECT_EQ(head.guard_session, head.guard);
    EXPECT_EQ(head.worker_session, head.started);  // with the terminal
    EXPECT_EQ(head.worker_group, head.started);
    const Places relay = places_of(Guard::Role::relay);
    EXPECT_EQ(relay.guard, relay.started);  // no third process on hosts
    EXPECT_EQ(relay.guard_session, relay.started);
    EXPECT_NE(relay.worker_session, relay.started);
}

/// A worker that goes on, whose guard has done all that a guard does before it passes on signals.
pid_t start_worker(const std::string& folder) {
    FdPair told = make_pipe();
    const pid_t started = fork();
    if (started == 0) {
        const auto guard = Guard::split_process(Guard::Role::relay);
        guard.remove_at_end(folder);
        sigset_t passed_on;
        sigemptyset(&passed_on);
        sigaddset(&passed_on, SIGUSR1);
        sigprocmask(SIG_BLOCK, &passed_on, nullptr);
        int signal = 0;
        const bool good = write(told.second.get(), "", 1) == 1 &&
                          sigwait(&passed_on, &signal) == 0 && write(told.second.get(), "", 1) == 1;
        if (good) pause();
        _exit(1);
    }
    told.second.reset();
    char byte = 0;
    EXPECT_EQ(read(told.first.get(), &byte, 1), 1);
    kill(started, SIGUSR1);
    EXPECT_EQ(read(told.first.get(), &byte, 1), 1);
    return started;
}

TEST(Guard, TheNextOneRemovesWhatAllThatWereKilledHaveLeft) {
    const std::string path = make_folder();
    const std::string alive = make_folder();
    const pid_t living = start_worker(alive);
    run_guarded([&](const Guard& guard) {
        guard.remove_at_end(path);
        kill(getppid(), SIGSTOP);
        kill(getppid(), SIGKILL);
        raise(SIGKILL);
    });
    EXPECT_TRUE(exists(path));
    for (int i = 0; i < 100 && exists(path); ++i)  // the killed worker may take its time
        run_guarded([](const Guard&) {});
    EXPECT_FALSE(exists(path));
    EXPECT_TRUE(exists(alive));
    kill(living, SIGTERM);
    waitpid(living, nullptr, 0);
    EXPECT_FALSE(exists(alive));
}

bool is_stopped(pid_t pid) {
    return stat_of(pid).state == 'T';
}

/// Whether the process has got the signal, and not yet taken it.
bool is_pending(pid_t pid, int signal) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/status");
    std::string word;
    while (file >> word && word != "ShdPnd:") {
    }
    uint64_t pending = 0;
    file >> std::hex >> pending;
    return (pending >> (signal - 1) & 1) != 0;
}

/// A worker that stops itself, and the process that was started, which ends as the worker does.
class StoppedWorker {
  public:
    StoppedWorker(Guard::Role role, void (*stop)(const Guard& guard)) {
        int pipe_ends[2];
        EXPECT_EQ(pipe(pipe_ends), 0);
        started_ = fork();
        if (started_ == 0) {
            setpgid(0, 0);  // not orphaned, as nobody may stop such a group by SIGTSTP
            const auto guard = Guard::split_process(role);
            const pid_t self = getpid();
            EXPECT_EQ(write(pipe_ends[1], &self, sizeof self), static_cast<ssize_t>(sizeof self));
            stop(guard);
            _exit(7);
        }
        EXPECT_EQ(read(pipe_ends[0], &worker_, sizeof worker_),
                  static_cast<ssize_t>(sizeof worker_));
        close(pipe_ends[0]);
        close(pipe_ends[1]);
        EXPECT_TRUE(comes_true([this] { return is_stopped(worker_); }));
    }
    StoppedWorker(const StoppedWorker&) = delete;
    StoppedWorker& operator=(const StoppedWorker&) = delete;
    ~StoppedWorker() {
        int status = 0;
        kill(stops_too() ? started_ : worker_, SIGCONT);
        waitpid(started_, &status, 0);
        EXPECT_TRUE(WIFEXITED(status));
        EXPECT_EQ(WEXITSTATUS(status), 7);
    }

    /// The process that was started stops, too.
    bool takes_along() const {
        return comes_true([this] { return is_stopped(started_); });
    }
    /// The process that was started goes on. The guard has seen that the worker is stopped when it
    /// passes on a later signal, which the stopped worker does not take.
    bool stops_alone() const {
        kill(started_, SIGTSTP);
        EXPECT_TRUE(comes_true([this] { return is_pending(worker_, SIGTSTP) || stops_too(); }));
        return !stops_too();
    }

  private:
    bool stops_too() const { return is_pending(started_, SIGSTOP) || is_stopped(started_); }

    pid_t started_ = 0;
    pid_t worker_ = 0;
};

TEST(Guard, StopsWithAWorkerThatSaysSoAlone) {
    for (const auto role : {Guard::Role::head, Guard::Role::relay}) {
        const StoppedWorker by_itself(role, [](const Guard& guard) { guard.stop(); });
        EXPECT_TRUE(by_itself.takes_along());
        const StoppedWorker by_another(role, [](const Guard&) { raise(SIGSTOP); });
        EXPECT_TRUE(by_another.stops_alone());
    }
}

TEST(Guard, StopsWithAWorkerThatHasNoHandlerYet) {
    const StoppedWorker worker(Guard::Role::head, [](const Guard&) { raise(SIGTSTP); });
    EXPECT_TRUE(worker.takes_along());
}

}  // namespace
}  // namespace launch
