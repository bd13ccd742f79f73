// SPDX-License-Identifier: MIT
#include "core/process/command_output.hpp"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "core/process/process_stat.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds patience{10000};

std::string said(const std::string& script, milliseconds limit = patience) {
    const auto output =
        command_output({"sh", "-c", script}, {"PATH=/usr/bin:/bin", "WORD=a b"}, limit);
    return output ? *output : "! " + output.error().cause;
}

TEST(CommandOutput, IsWhatTheProgramSays) {
    EXPECT_EQ(said("echo \"$WORD\"; echo other >&2"), "a b\n");
    EXPECT_EQ(said("cat"), "") << "it has no input";
    EXPECT_EQ(said("exit 3"), "! ended with exit code 3");
    EXPECT_EQ(said("echo words; exit 1"), "! ended with exit code 1");
    EXPECT_EQ(said("kill -9 $$"), "! ended with signal 9 (Killed)");
    const auto none = command_output({"no-such-program"}, {"PATH=/bin"}, patience);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().cause, "cannot be run: No such file or directory");
}

/// The processes below this one that run. An earlier test in this process may have left some, and
/// may have made it the parent of orphans, which stay as zombies then.
std::vector<pid_t> running_children() {
    const std::string self = std::to_string(getpid());
    std::ifstream file("/proc/" + self + "/task/" + self + "/children");
    std::vector<pid_t> running;
    for (pid_t child = 0; file >> child;) {
        const char state = stat_of(child).state;
        if (state != 'Z' && state != '?') running.push_back(child);
    }
    return running;
}

TEST(CommandOutput, IsNotWaitedForForever) {
    const auto before = running_children();
    EXPECT_EQ(said("echo early; sleep 100", milliseconds{200}), "! did not answer within 0.2 s");
    EXPECT_EQ(said("sleep 100 & wait", milliseconds{200}), "! did not answer within 0.2 s");
    EXPECT_EQ(said("exec >&-; sleep 100", milliseconds{200}), "! did not answer within 0.2 s");
    EXPECT_EQ(said("while :; do echo much of it; done"), "! printed more than 1 MiB");
    for (const pid_t child : running_children())
        EXPECT_TRUE(std::count(before.begin(), before.end(), child)) << child << " is left behind";
}

}  // namespace
}  // namespace launch
