// SPDX-License-Identifier: MIT
#include "core/process/process_group.hpp"

#include <csignal>
#include <gtest/gtest.h>
#include <linux/sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/async/simulated_time.hpp"

namespace launch {
namespace {

/// A child that leads a group, or is in `group`, and waits to be killed.
pid_t sleeper(pid_t group = 0) {
    const pid_t pid = fork();
    if (pid == 0) {
        for (;;)
            pause();
    }
    setpgid(pid, group == 0 ? pid : group);
    return pid;
}

/// The same under a number of our choice; -1 where that needs a right that we lack.
pid_t sleeper_called(pid_t number) {
    clone_args how{};
    how.exit_signal = SIGCHLD;
    how.set_tid = reinterpret_cast<uintptr_t>(&number);
    how.set_tid_size = 1;
    const auto pid = static_cast<pid_t>(syscall(SYS_clone3, &how, sizeof how));
    if (pid == 0) {
        for (;;)
            pause();
    }
    if (pid > 0) setpgid(pid, pid);
    return pid;
}

int killed_and_reaped(pid_t pid) {
    int status = 0;
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    return WTERMSIG(status);
}

TEST(ProcessGroup, outlives_its_leader) {
    const SimulatedTime time;
    const pid_t leader = sleeper();
    const pid_t other = sleeper(leader);
    ProcessGroup group(leader);
    EXPECT_TRUE(group.alive());
    killed_and_reaped(leader);
    group.leader_reaped();
    EXPECT_TRUE(group.alive());
    // A number may come back in this time, but those in the group are ours.
    Clock::pause(std::chrono::milliseconds{1100});
    EXPECT_TRUE(group.alive());
    group.signal(SIGTERM);
    int status = 0;
    waitpid(other, &status, 0);
    EXPECT_EQ(WTERMSIG(status), SIGTERM);
    EXPECT_FALSE(group.alive());
}

TEST(ProcessGroup, whoever_gets_its_number_later_is_spared) {
    const pid_t leader = sleeper();
    ProcessGroup group(leader);
    killed_and_reaped(leader);
    group.leader_reaped();
    EXPECT_FALSE(group.alive());
    const pid_t stranger = sleeper_called(leader);
    if (stranger < 0) GTEST_SKIP() << "may not choose a process id here";
    EXPECT_FALSE(group.alive());
    group.signal(SIGTERM);
    group.kill_all();
    EXPECT_EQ(waitpid(stranger, nullptr, WNOHANG), 0);
    killed_and_reaped(stranger);
}

TEST(ProcessGroup, of_nobody_has_nobody) {
    ProcessGroup group;
    EXPECT_FALSE(group.alive());
    group.signal(SIGTERM);  // would reach our own group
    group.kill_all();
}

}  // namespace
}  // namespace launch
