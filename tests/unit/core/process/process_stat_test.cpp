#include "core/process/process_stat.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/process/usage.hpp"

namespace launch {
namespace {

TEST(ProcessStat, IsWhatTheKernelKnows) {
    while (own_usage().cpu_us < 100'000) {
    }
    const ProcessStat stat = stat_of(getpid());
    const Usage usage = own_usage();
    EXPECT_EQ(stat.state, 'R');
    EXPECT_EQ(stat.parent, getppid());
    EXPECT_GE(stat.cpu_ms, 50U);
    EXPECT_LE(stat.cpu_ms, usage.cpu_us / 1000 + 100);
    EXPECT_GT(stat.resident_kib, 500U);
    EXPECT_LE(stat.resident_kib, usage.resident_kib + 4096);
}

TEST(ProcessStat, OfNobodyIsEmpty) {
    EXPECT_EQ(stat_of(0).state, '?');
}

}  // namespace
}  // namespace launch
