// SPDX-License-Identifier: MIT
#include "core/process/spawn.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <poll.h>
#include <set>
#include <sstream>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/process/descendants.hpp"
#include "core/process/limits.hpp"

namespace launch {
namespace {

using Stage = ExitStatus::Stage;

struct Ran {
    SpawnResult result;
    std::string output;
    ExitStatus status;
};

Ran run(SpawnRequest request) {
    Ran ran;
    FdPair pipe = make_pipe();
    request.stdout_fd = pipe.second.get();
    ran.result = spawn_process(request);
    pipe.second.reset();
    std::array<char, 4096> buffer{};
    ssize_t n = 0;
    while ((n = read(pipe.first.get(), buffer.data(), buffer.size())) > 0)
        ran.output.append(buffer.data(), static_cast<size_t>(n));
    int status = 0;
    if (ran.result.pid > 0 && waitpid(ran.result.pid, &status, 0) > 0)
        ran.status = ExitStatus::from_wait(status);
    return ran;
}

SpawnRequest request(std::vector<std::string> argv) {
    SpawnRequest r;
    r.argv = std::move(argv);
    r.env = {"PATH=/usr/bin:/bin", "X=1"};
    return r;
}

TEST(Spawn, runs_with_environment_folder_and_group) {
    auto r = request({"sh", "-c", "echo $X; pwd; test $(ps -o pgid= -p $$) = $$ && echo leader"});
    r.wdir = "/usr";
    const Ran ran = run(r);
    EXPECT_EQ(ran.output, "1\n/usr\nleader\n");
    EXPECT_TRUE(ran.status.success());
}

TEST(Spawn, a_start_that_was_cancelled_runs_nothing) {
    SpawnInFlight in_flight;
    in_flight.cancelled = true;
    const auto r = request({"true"});
    const SpawnResult spawned = spawn_process(r, &in_flight);
    EXPECT_EQ(spawned.pid, -1);
    EXPECT_EQ(spawned.failure.value, ECANCELED);
    EXPECT_EQ(in_flight.pid, 0);
}

TEST(Spawn, the_child_in_flight_is_shown_until_it_is_gone) {
    SpawnInFlight in_flight;
    const SpawnResult spawned = spawn_process(request({"true"}), &in_flight);
    ASSERT_GT(spawned.pid, 0);
    EXPECT_EQ(in_flight.pid, spawned.pid);
    waitpid(spawned.pid, nullptr, 0);
    SpawnInFlight failing;
    EXPECT_EQ(spawn_process(request({"/no/such"}), &failing).pid, -1);
    EXPECT_EQ(failing.pid, 0);
}

TEST(Spawn, keeps_open_what_is_inherited_and_what_is_to_be_kept_and_closes_the_others) {
    const FdPair kept = make_pipe();
    const FdPair others = make_pipe();
    const FdPair inherited = make_pipe();
    const int open = fcntl(kept.first.get(), F_DUPFD, 0);  // as a user's, without close-on-exec
    const int not_kept = fcntl(others.first.get(), F_DUPFD, 0);
    auto r = request({"sh", "-c", "for fd in /proc/self/fd/*; do echo ${fd##*/}; done"});
    r.keep_open.emplace({open});
    r.inherit = {inherited.second.get()};
    std::istringstream lines(run(r).output);
    std::set<int> found;
    for (int fd = 0; lines >> fd;)
        found.insert(fd);
    EXPECT_TRUE(found.contains(open));
    EXPECT_TRUE(found.contains(inherited.second.get()));
    EXPECT_FALSE(found.contains(not_kept));
    EXPECT_TRUE(found.contains(1));
    close(open);
    close(not_kept);
}

TEST(Spawn, runs_what_was_found_before_and_searches_where_that_is_gone) {
    auto r = request({"sh", "-c", "echo searched"});
    r.found = "/bin/echo";
    EXPECT_EQ(run(r).output, "-c echo searched\n");
    r.found = "/no/such/sh";
    EXPECT_EQ(run(r).output, "searched\n");
}

TEST(Spawn, sets_limits_and_umask_of_the_child_alone) {
    const uint64_t files = raise_file_limit();
    auto r = request({"bash", "-c", "ulimit -Sn; ulimit -Sc; umask"});
    r.limits = {{Resource::open_files, 77}, {Resource::core_file, 0}};
    r.umask = 037;
    const RankLimits before = own_limits();
    EXPECT_EQ(run(r).output, "77\n0\n0037\n");
    EXPECT_EQ(own_limits(), before);
    set_soft_limit({Resource::open_files, files});
}

TEST(Spawn, a_limit_that_is_refused_is_left_as_it_is) {
    HostLimits own = host_limits();
    const uint64_t hard = own[static_cast<size_t>(Resource::core_file)].hard;
    auto r = request({"true"});
    r.limits = {{Resource::core_file, hard == unlimited ? unlimited : hard + 1}};
    EXPECT_TRUE(run(r).status.success());
}

TEST(Spawn, tells_what_failed_before_the_program) {
    struct Row {
        const char* name;
        const char* program;
        const char* wdir;
        ExitStatus expected;
    };
    const std::string folder = testing::TempDir();
    const std::string plain = folder + "/not-executable";
    std::ofstream(plain) << "x";
    chmod(plain.c_str(), 0644);
    const auto not_started = ExitStatus::Kind::not_started;
    const Row rows[] = {
        {"missing in PATH", "no-such-program", "", {not_started, ENOENT, Stage::exec}},
        {"missing path", "/no/such", "", {not_started, ENOENT, Stage::exec}},
        {"not executable", plain.c_str(), "", {not_started, EACCES, Stage::exec}},
        {"a folder", "/usr", "", {not_started, EISDIR, Stage::exec}},
        {"no working directory", "true", "/no/such", {not_started, ENOENT, Stage::chdir}},
    };
    for (const auto& row : rows) {
        auto r = request({row.program});
        r.wdir = row.wdir;
        const Ran ran = run(r);
        EXPECT_EQ(ran.result.pid, -1) << row.name;
        EXPECT_EQ(to_string(ran.result.failure), to_string(row.expected)) << row.name;
    }
    unlink(plain.c_str());
}

TEST(Spawn, falls_back_to_another_folder_and_says_so) {
    auto r = request({"pwd"});
    r.wdir = "/no/such";
    r.wdir_fallback = "/usr";
    const Ran ran = run(r);
    EXPECT_TRUE(ran.result.used_fallback);
    EXPECT_EQ(ran.output, "/usr\n");
}

TEST(Spawn, a_script_without_interpreter_line_runs_in_the_shell) {
    const std::string script = testing::TempDir() + "/script";
    std::ofstream(script) << "echo script $1\n";
    chmod(script.c_str(), 0755);
    EXPECT_EQ(run(request({script, "a"})).output, "script a\n");
    unlink(script.c_str());
}

TEST(Spawn, signals_are_as_a_program_expects_them) {
    const auto before = signal(SIGPIPE, SIG_IGN);
    const Ran ran = run(request({"sh", "-c", "kill -PIPE $$; echo survived"}));
    signal(SIGPIPE, before);
    EXPECT_EQ(to_string(ran.status), "signal 13 (Broken pipe)");
}

/// Stops its own process group over and over, which has a handler for that, and starts programs.
[[noreturn]] void spawn_while_stopped(int times) {
    setpgid(0, 0);
    signal(SIGTSTP, [](int) {});
    const pid_t spawner = getpid();
    const pid_t stopper = fork();
    if (stopper == 0) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        while (kill(-spawner, SIGTSTP) == 0) {
        }
        _exit(0);
    }
    bool good = true;
    for (int i = 0; i < times; ++i)
        good = run(request({"true"})).status.success() && good;
    kill(stopper, SIGKILL);
    _exit(good ? 0 : 1);
}

/// Waits until the child has ended, and does not collect it. False: the child goes on for a minute.
bool comes_to_an_end(pid_t child) {
    const UniqueFd process(static_cast<int>(syscall(SYS_pidfd_open, child, 0)));
    EXPECT_TRUE(process);
    pollfd ended{process.get(), POLLIN, 0};
    return poll(&ended, 1, 60'000) == 1;
}

TEST(Spawn, a_signal_to_the_callers_group_does_not_stop_the_child) {
    const pid_t pid = fork();
    if (pid == 0) spawn_while_stopped(60);
    const bool has_ended = comes_to_an_end(pid);
    EXPECT_TRUE(has_ended);
    if (!has_ended) kill(pid, SIGKILL);
    int status = 0;
    waitpid(pid, &status, 0);
    EXPECT_EQ(to_string(ExitStatus::from_wait(status)), to_string(ExitStatus{}));
}

TEST(Descendants, include_grandchildren) {
    FdPair both_started = make_pipe();
    auto r = request({"sh", "-c", "sleep 30 & sleep 30 & echo; wait"});
    r.stdout_fd = both_started.second.get();
    const SpawnResult spawned = spawn_process(r);
    ASSERT_GT(spawned.pid, 0);
    both_started.second.reset();
    char newline = 0;
    EXPECT_EQ(read(both_started.first.get(), &newline, 1), 1);
    EXPECT_EQ(descendants_of(spawned.pid).size(), 2u);
    EXPECT_GE(descendants_of(getpid()).size(), 3u);
    kill(-spawned.pid, SIGKILL);
    waitpid(spawned.pid, nullptr, 0);
}

}  // namespace
}  // namespace launch
