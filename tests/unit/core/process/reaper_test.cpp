// SPDX-License-Identifier: MIT
#include "core/process/reaper.hpp"

#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace launch {
namespace {

/// A child that waits for a signal.
pid_t sleeping_child() {
    const pid_t child = fork();
    if (child == 0) {
        for (;;)
            pause();
    }
    return child;
}

/// Ends it, and waits until it can be collected.
void end(pid_t child) {
    kill(child, SIGKILL);
    siginfo_t info{};
    waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
}

class ReaperTest : public testing::Test {
  protected:
    asio::io_context io_;
    Reaper reaper_{io_.get_executor()};
    int ends_ = 0;
};

TEST_F(ReaperTest, reports_the_end_of_a_watched_child_once) {
    const pid_t child = sleeping_child();
    int status = 0;
    const auto watch = reaper_.watch(child, [&](int wait_status) {
        ++ends_;
        status = wait_status;
    });
    end(child);
    reaper_.collect();
    reaper_.collect();
    EXPECT_EQ(ends_, 1);
    EXPECT_EQ(WTERMSIG(status), SIGKILL);
}

TEST_F(ReaperTest, reports_nothing_to_a_watcher_that_has_gone) {
    const pid_t child = sleeping_child();
    {
        const auto watch = reaper_.watch(child, [&](int) { ++ends_; });
    }
    end(child);
    reaper_.collect();
    EXPECT_EQ(ends_, 0);
    EXPECT_EQ(waitpid(child, nullptr, WNOHANG), -1) << "but it leaves no zombie";
}

TEST_F(ReaperTest, an_old_watch_does_not_end_the_watch_of_a_later_process_with_its_pid) {
    const pid_t child = sleeping_child();
    auto old = reaper_.watch(child, [](int) {});
    const auto watch = reaper_.watch(child, [&](int) { ++ends_; });
    old = {};
    end(child);
    reaper_.collect();
    EXPECT_EQ(ends_, 1);
}

TEST_F(ReaperTest, keeps_the_end_of_an_expected_child_until_it_is_watched) {
    const pid_t child = sleeping_child();
    const auto expected = reaper_.expect();
    end(child);
    reaper_.collect();
    int status = 0;
    const auto watch = reaper_.watch(child, [&](int wait_status) {
        ++ends_;
        status = wait_status;
    });
    EXPECT_EQ(ends_, 0) << "only from the io_context";
    io_.run();
    EXPECT_EQ(ends_, 1);
    EXPECT_EQ(WTERMSIG(status), SIGKILL);
}

TEST_F(ReaperTest, tells_no_watcher_that_has_gone_of_an_end_that_was_kept) {
    const pid_t child = sleeping_child();
    const auto expected = reaper_.expect();
    end(child);
    reaper_.collect();
    {
        const auto watch = reaper_.watch(child, [&](int) { ++ends_; });
    }
    io_.run();
    EXPECT_EQ(ends_, 0);
}

TEST_F(ReaperTest, keeps_nothing_when_no_child_is_expected_any_more) {
    const pid_t child = sleeping_child();
    auto expected = reaper_.expect();
    auto longer = reaper_.expect();
    end(child);
    reaper_.collect();
    expected.reset();
    longer.reset();
    reaper_.collect();
    expected = reaper_.expect();
    const auto watch = reaper_.watch(child, [&](int) { ++ends_; });
    io_.run();
    EXPECT_EQ(ends_, 0);
}

TEST_F(ReaperTest, keeps_that_an_expected_child_was_stopped) {
    const pid_t child = sleeping_child();
    const auto expected = reaper_.expect();
    kill(child, SIGSTOP);
    siginfo_t info{};
    waitid(P_PID, static_cast<id_t>(child), &info, WSTOPPED | WNOWAIT);
    reaper_.collect();
    int stopped_by = 0;
    const auto watch = reaper_.watch(
        child, [&](int) { ++ends_; }, [&](int signal) { stopped_by = signal; });
    io_.run();
    EXPECT_EQ(stopped_by, SIGSTOP);
    EXPECT_EQ(ends_, 0);
    end(child);
    reaper_.collect();
    EXPECT_EQ(ends_, 1);
}

/// Gives the next process this number.
bool next_number(pid_t number) {
    std::ofstream file("/proc/sys/kernel/ns_last_pid");
    file << number - 1 << std::flush;
    return file.good();
}

TEST_F(ReaperTest, takes_the_end_of_no_earlier_process_with_the_same_number) {
    const pid_t earlier = sleeping_child();
    const auto expected = reaper_.expect();
    end(earlier);
    reaper_.collect();
    pid_t child = sleeping_child();
    // In vain where others start too many, or this is not root.
    for (int i = 0; i < 1000 && child != earlier && next_number(earlier); ++i) {
        end(child);
        waitpid(child, nullptr, 0);
        child = sleeping_child();
    }
    const auto watch = reaper_.watch(child, [&](int) { ++ends_; });
    io_.run();
    EXPECT_EQ(ends_, 0);
    end(child);
    reaper_.collect();
    EXPECT_EQ(ends_, 1);
}

TEST_F(ReaperTest, a_watcher_may_live_in_its_own_callback) {
    struct Watcher {
        Reaper::Watch watch;
    };
    const pid_t child = sleeping_child();
    {
        Reaper reaper(io_.get_executor());
        auto watcher = std::make_shared<Watcher>();
        watcher->watch = reaper.watch(child, [watcher](int) {});
    }
    end(child);
    reaper_.collect();
}

}  // namespace
}  // namespace launch
