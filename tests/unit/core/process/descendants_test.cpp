// SPDX-License-Identifier: MIT
#include "core/process/descendants.hpp"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace launch {
namespace {

TEST(Descendants, a_child_counts_until_it_has_been_waited_for) {
    EXPECT_FALSE(has_children());
    EXPECT_TRUE(descendants_of(getpid()).empty());
    const pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    ASSERT_GT(child, 0);
    EXPECT_TRUE(has_children());
    EXPECT_EQ(descendants_of(getpid()), std::vector<pid_t>{child});
    kill(child, SIGKILL);
    siginfo_t ended;
    ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
    EXPECT_TRUE(has_children()) << "it is still to be waited for, and was not by the look";
    EXPECT_EQ(waitpid(child, nullptr, 0), child);
    EXPECT_FALSE(has_children());
}

}  // namespace
}  // namespace launch
