#include "core/head/job_news.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

using Kind = JobEvent::Kind;

TEST(JobNews, tells_everybody_what_he_has_not_had) {
    JobNews news;
    EXPECT_FALSE(news.after(0));
    news.tell({Kind::processes_joined, "job.1", 3, {}});
    news.tell({Kind::process_failed, "job.1", 1, 2U});
    EXPECT_EQ(news.after(0), "number=1 kind=processes_joined count=3 rank=-1 name=job.1");
    EXPECT_EQ(news.after(1), "number=2 kind=process_failed count=1 rank=2 name=job.1");
    EXPECT_FALSE(news.after(2));
    EXPECT_FALSE(news.after(UINT64_MAX));
}

TEST(JobNews, tells_of_each_host_once_until_it_is_back) {
    JobNews news;
    news.tell_hosts(true, {"n1", "n2"});
    news.tell_hosts(false, {"n2", ""});
    news.tell_hosts(false, {"n2"});
    news.tell_hosts(true, {"n2"});
    news.tell_hosts(false, {"n1", "n2"});
    EXPECT_EQ(news.after(0), "number=1 kind=hosts_joined count=2 rank=-1 name=n[1-2]");
    EXPECT_EQ(news.after(1), "number=2 kind=hosts_left count=1 rank=-1 name=n2");
    EXPECT_EQ(news.after(2), "number=3 kind=hosts_joined count=1 rank=-1 name=n2");
    EXPECT_EQ(news.after(3), "number=4 kind=hosts_left count=2 rank=-1 name=n[1-2]");
    EXPECT_FALSE(news.after(4));
}

TEST(JobNews, splits_what_is_too_long_for_one_line) {
    JobNews news;
    std::vector<std::string> names;
    for (char c = 'a'; c <= 'z'; ++c)
        names.push_back(std::string(100, c));
    news.tell_hosts(true, names);
    size_t hosts = 0;
    uint64_t number = 0;
    for (; const auto event = news.after(number); ++number) {
        EXPECT_LE(event->size(), JobNews::longest_name + 100);
        hosts += std::stoul(event->substr(event->find("count=") + 6));
    }
    EXPECT_EQ(hosts, names.size());
    EXPECT_EQ(number, 4U);
}

TEST(JobNews, keeps_the_last_ones) {
    JobNews news;
    for (size_t i = 0; i < JobNews::most + 10; ++i)
        news.tell({Kind::processes_left, std::to_string(i), 1, {}});
    EXPECT_EQ(news.after(3), "number=11 kind=processes_left count=1 rank=-1 name=10");
    EXPECT_EQ(news.after(11), "number=12 kind=processes_left count=1 rank=-1 name=11");
    EXPECT_FALSE(news.after(JobNews::most + 10));
}

}  // namespace
}  // namespace launch
