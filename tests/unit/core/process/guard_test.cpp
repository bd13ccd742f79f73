// SPDX-License-Identifier: MIT
#include "core/process/guard.hpp"

#include <chrono>
#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

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
        while (role == Guard::Role::head && getsid(getppid()) != getppid())
            usleep(1000);
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

TEST(Guard, TheNextOneRemovesWhatAllThatWereKilledHaveLeft) {
    const std::string path = make_folder();
    const std::string alive = make_folder();
    const pid_t living = fork();
    if (living == 0) {
        const auto guard = Guard::split_process(Guard::Role::relay);
        guard.remove_at_end(alive);
        pause();
    }
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
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const size_t name_end = text.rfind(") ");
    return name_end != std::string::npos && text.substr(name_end + 2, 1) == "T";
}

template <class Condition>
bool comes_true(std::chrono::milliseconds limit, Condition condition) {
    const auto deadline = std::chrono::steady_clock::now() + limit;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        usleep(1000);
    }
    return true;
}

constexpr std::chrono::milliseconds long_enough{10'000};
/// For what should not come true, and nobody can wait for.
constexpr std::chrono::milliseconds a_moment{200};

/// Whether the process that was started stops with a worker that stops so, in a time; it ends as
/// that does.
bool stops_with(Guard::Role role, void (*stop)(const Guard& guard),
                std::chrono::milliseconds limit) {
    int pipe_ends[2];
    EXPECT_EQ(pipe(pipe_ends), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        setpgid(0, 0);  // not orphaned, as nobody may stop such a group by SIGTSTP
        const auto guard = Guard::split_process(role);
        const pid_t self = getpid();
        EXPECT_EQ(write(pipe_ends[1], &self, sizeof self), static_cast<ssize_t>(sizeof self));
        stop(guard);
        _exit(7);
    }
    pid_t worker = 0;
    EXPECT_EQ(read(pipe_ends[0], &worker, sizeof worker), static_cast<ssize_t>(sizeof worker));
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    EXPECT_TRUE(comes_true(long_enough, [&] { return is_stopped(worker); }));
    int status = 0;
    const bool stopped =
        comes_true(limit, [&] { return waitpid(pid, &status, WUNTRACED | WNOHANG) == pid; });
    kill(stopped ? pid : worker, SIGCONT);
    waitpid(pid, &status, 0);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 7);
    return stopped;
}

TEST(Guard, StopsWithAWorkerThatSaysSoAlone) {
    for (const auto role : {Guard::Role::head, Guard::Role::relay}) {
        EXPECT_TRUE(stops_with(
            role, [](const Guard& guard) { guard.stop(); }, long_enough));
        EXPECT_FALSE(stops_with(
            role, [](const Guard&) { raise(SIGSTOP); }, a_moment));
    }
}

TEST(Guard, StopsWithAWorkerThatHasNoHandlerYet) {
    EXPECT_TRUE(stops_with(
        Guard::Role::head, [](const Guard&) { raise(SIGTSTP); }, long_enough));
}

}  // namespace
}  // namespace launch
