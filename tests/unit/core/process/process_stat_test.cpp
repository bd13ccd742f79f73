// SPDX-License-Identifier: MIT
#include "core/process/process_stat.hpp"

#include <atomic>
#include <exception>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "core/process/usage.hpp"

namespace launch {
namespace {

/// Of children that have ended, which the kernel counts with the process.
uint64_t cpu_ms_of_children() {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    const auto seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec;
    const auto micros = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
    return static_cast<uint64_t>(seconds * 1000 + micros / 1000);
}

TEST(ProcessStat, IsWhatTheKernelKnows) {
    while (own_usage().cpu_us < 100'000) {
    }
    const ProcessStat stat = stat_of(getpid());
    const Usage usage = own_usage();
    EXPECT_EQ(stat.state, 'R');
    EXPECT_EQ(stat.parent, getppid());
    EXPECT_GE(stat.cpu_ms, 50U);
    EXPECT_LE(stat.cpu_ms, usage.cpu_us / 1000 + cpu_ms_of_children() + 100);
    EXPECT_GT(stat.resident_kib, 500U);
    EXPECT_LE(stat.resident_kib, usage.resident_kib + 4096);
}

TEST(ProcessStat, a_main_thread_is_apart_from_others) {
    const auto of_others = [] {
        const uint64_t main_ms = main_thread_stat(getpid()).cpu_ms;
        return stat_of(getpid()).cpu_ms - main_ms;
    };
    const uint64_t before = of_others();
    std::thread([] {
        const uint64_t begin = own_usage().cpu_us;
        while (own_usage().cpu_us - begin < 100'000) {
        }
    }).join();
    EXPECT_GE(of_others() - before, 50U);
    EXPECT_EQ(main_thread_stat(getpid()).state, 'R');
}

TEST(ProcessStat, OfNobodyIsEmpty) {
    EXPECT_EQ(stat_of(0).state, '?');
}

/// Processes that end while they are looked at: between the opening of the file and its reading the
/// kernel forgets some, and the file cannot be read then.
TEST(ProcessStat, a_process_may_end_while_it_is_looked_at) {
    constexpr int processes = 500;
    std::atomic<pid_t> newest = 0;
    std::thread starts([&newest] {
        for (int i = 0; i < processes; ++i) {
            const pid_t child = fork();
            if (child == 0) _exit(0);
            newest = child;
            waitpid(child, nullptr, 0);
        }
        newest = -1;
    });
    int thrown = 0;
    while (newest >= 0) {
        try {
            if (newest > 0) stat_of(newest);
        } catch (const std::exception&) {
            ++thrown;
        }
    }
    starts.join();
    EXPECT_EQ(thrown, 0);
}

}  // namespace
}  // namespace launch
