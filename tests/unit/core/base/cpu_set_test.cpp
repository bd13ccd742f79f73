// SPDX-License-Identifier: MIT
#include "core/base/cpu_set.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(CpuSet, is_written_as_it_is_read) {
    for (const char* text : {"0", "0-3", "0,2", "0-1,63-65,200", "65535"}) {
        const auto cpus = read_cpus(text);
        ASSERT_TRUE(cpus) << text;
        EXPECT_EQ(to_string(*cpus), text);
        EXPECT_EQ(CpuSet::of_words(cpus->words()), *cpus) << text;
    }
    EXPECT_EQ(to_string(*read_cpus("3,1,2,2-4")), "1-4");
}

TEST(CpuSet, is_not_read_from_what_is_none) {
    for (const char* text : {"", "a", "1-", "3-1", "1,,2", "1,", "-1", "65536", "0-99999999", "1 "})
        EXPECT_FALSE(read_cpus(text)) << text;
}

TEST(CpuSet, meets_and_holds) {
    const CpuSet low = *read_cpus("0-3");
    const CpuSet high = *read_cpus("64-70");
    EXPECT_FALSE(low.meets(high));
    EXPECT_TRUE((low & high).empty());
    EXPECT_TRUE(low.is_within(*read_cpus("0-7")));
    EXPECT_FALSE(read_cpus("0-7")->is_within(low));
    CpuSet both = low;
    both |= high;
    EXPECT_EQ(to_string(both), "0-3,64-70");
    EXPECT_EQ(both.size(), 11u);
    EXPECT_EQ(high.first(), 64u);
    EXPECT_EQ(both & high, high);
}

TEST(CpuSet, adds_no_cpu_that_no_machine_has) {
    CpuSet cpus;
    cpus.add(CpuSet::most);
    EXPECT_TRUE(cpus.empty());
}

}  // namespace
}  // namespace launch
