// SPDX-License-Identifier: MIT
#include "core/head/job_events.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

using Kind = JobEvent::Kind;

TEST(JobEvents, tells_everybody_what_he_has_not_had) {
    JobEvents events;
    EXPECT_FALSE(events.after(0));
    events.tell({Kind::processes_joined, "job.1", 3, {}});
    events.tell({Kind::process_failed, "job.1", 1, 2U});
    EXPECT_EQ(events.after(0), "number=1 kind=processes_joined count=3 rank=-1 name=job.1");
    EXPECT_EQ(events.after(1), "number=2 kind=process_failed count=1 rank=2 name=job.1");
    EXPECT_FALSE(events.after(2));
    EXPECT_FALSE(events.after(UINT64_MAX));
}

TEST(JobEvents, tells_of_each_host_once_until_it_is_back) {
    JobEvents events;
    events.tell_hosts(true, {"n1", "n2"});
    events.tell_hosts(false, {"n2", ""});
    events.tell_hosts(false, {"n2"});
    events.tell_hosts(true, {"n2"});
    events.tell_hosts(false, {"n1", "n2"});
    EXPECT_EQ(events.after(0), "number=1 kind=hosts_joined count=2 rank=-1 name=n[1-2]");
    EXPECT_EQ(events.after(1), "number=2 kind=hosts_left count=1 rank=-1 name=n2");
    EXPECT_EQ(events.after(2), "number=3 kind=hosts_joined count=1 rank=-1 name=n2");
    EXPECT_EQ(events.after(3), "number=4 kind=hosts_left count=2 rank=-1 name=n[1-2]");
    EXPECT_FALSE(events.after(4));
}

TEST(JobEvents, splits_what_is_too_long_for_one_line) {
    JobEvents events;
    std::vector<std::string> names;
    for (char c = 'a'; c <= 'z'; ++c)
        names.push_back(std::string(100, c));
    events.tell_hosts(true, names);
    size_t hosts = 0;
    uint64_t number = 0;
    for (; const auto event = events.after(number); ++number) {
        EXPECT_LE(event->size(), JobEvents::longest_name + 100);
        hosts += std::stoul(event->substr(event->find("count=") + 6));
    }
    EXPECT_EQ(hosts, names.size());
    EXPECT_EQ(number, 4U);
}

TEST(JobEvents, keeps_the_last_ones) {
    JobEvents events;
    for (size_t i = 0; i < JobEvents::most + 10; ++i)
        events.tell({Kind::processes_left, std::to_string(i), 1, {}});
    EXPECT_EQ(events.after(3), "number=11 kind=processes_left count=1 rank=-1 name=10");
    EXPECT_EQ(events.after(11), "number=12 kind=processes_left count=1 rank=-1 name=11");
    EXPECT_FALSE(events.after(JobEvents::most + 10));
}

}  // namespace
}  // namespace launch
