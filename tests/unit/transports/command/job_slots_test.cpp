// SPDX-License-Identifier: MIT
#include "transports/command/job_slots.hpp"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace launch {
namespace {

TEST(JobSlots, AreTheLinesOfTheNodeFile) {
    const JobSlots slots("n1\nn1\n\nn2.cluster\nn2.cluster\n");
    EXPECT_EQ(slots.host_of(0), "n1");
    EXPECT_EQ(slots.host_of(1), "n1");
    EXPECT_EQ(slots.host_of(3), "n2.cluster");
    EXPECT_EQ(slots.host_of(4), "");
}

TEST(JobSlots, KnowHostsByWholeAndShortNames) {
    const JobSlots slots("n1\nn1\nn2.cluster\nn2.cluster\nn3.a\nn3.b\n");
    struct {
        std::string host;
        bool is_there;
    } const rows[] = {{"n1", true},  {"n1.cluster", true}, {"n2", true}, {"n2.cluster", true},
                      {"n3", false}, {"n3.b", true},       {"n4", false}};
    for (const auto& [host, is_there] : rows)
        EXPECT_EQ(slots.may_have(host), is_there) << host;
    EXPECT_TRUE(JobSlots().may_have("n4"));
}

TEST(JobSlots, AreThoseOfThisJobByAVariable) {
    std::string path = "/tmp/node-file-test-XXXXXX";
    close(mkstemp(path.data()));
    std::ofstream(path) << "n1\n";
    setenv("PBS_NODEFILE", path.c_str(), 1);
    EXPECT_EQ(JobSlots::of_this_job().host_of(0), "n1");
    unlink(path.c_str());
    EXPECT_EQ(JobSlots::of_this_job().host_of(0), "");
    unsetenv("PBS_NODEFILE");
    EXPECT_EQ(JobSlots::of_this_job().host_of(0), "");
}

}  // namespace
}  // namespace launch
