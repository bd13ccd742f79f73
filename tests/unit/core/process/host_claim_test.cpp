// SPDX-License-Identifier: MIT
#include "core/process/host_claim.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace launch {
namespace {

std::string own_name(const std::string& what) {
    return "host-claim-test-" + std::to_string(getpid()) + "-" + what;
}

/// In another process, as another user if that is possible: did it get the claim?
bool child_gets(const std::string& name, uid_t user) {
    const pid_t pid = fork();
    if (pid == 0) {
        if (user != geteuid() && setresuid(user, user, user) != 0) _exit(2);
        _exit(claim_on_host(name).ours ? 0 : 1);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status) == 0;
}

TEST(HostClaim, IsTheFirstOnesUntilItEnds) {
    const std::string name = own_name("first");
    {
        const auto first = claim_on_host(name);
        EXPECT_TRUE(first.ours);
        EXPECT_TRUE(first.held);
        for (int other = 0; other < 10; ++other)
            EXPECT_FALSE(child_gets(name, geteuid()));
        EXPECT_TRUE(child_gets(own_name("another"), geteuid()));
    }
    EXPECT_TRUE(child_gets(name, geteuid()));
}

TEST(HostClaim, OfAnotherUserStopsNobody) {
    if (geteuid() != 0) GTEST_SKIP() << "only root can be two users";
    const std::string name = own_name("stranger");
    const auto held = claim_on_host(name);
    EXPECT_TRUE(held.ours);
    EXPECT_TRUE(child_gets(name, 12345));
}

}  // namespace
}  // namespace launch
