// SPDX-License-Identifier: MIT
#include "core/head/host_record.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

const std::vector<Host> four{
    {"", "n1", 0, 1}, {"", "n2", 0, 1}, {"", "n3", 0, 1}, {"", "n4", 0, 1}};

TEST(HostRecord, a_host_is_known_when_it_is_up_or_has_failed) {
    HostRecord hosts(four);
    EXPECT_EQ(hosts.unknown(), (std::vector<NodeIndex>{1, 2, 3, 4}));
    hosts.up({2, 2});
    hosts.failed({3, false, {{4, 1}}, {}});
    EXPECT_TRUE(hosts.is_up(2));
    EXPECT_FALSE(hosts.is_up(3));
    EXPECT_EQ(hosts.unknown(), (std::vector<NodeIndex>{1}));
    EXPECT_FALSE(hosts.all_known());
    hosts.up({1});
    EXPECT_TRUE(hosts.all_known());
}

TEST(HostRecord, who_has_failed_is_not_up_any_more) {
    HostRecord hosts(four);
    hosts.up({1});
    hosts.failed({1, true, {}, {}});
    EXPECT_EQ(hosts.up({1, 2}), (std::vector<NodeIndex>{2}));
    EXPECT_FALSE(hosts.is_up(1));
}

TEST(HostRecord, loss_of_a_host_is_news_once_and_never_if_the_host_is_to_leave) {
    HostRecord hosts(four);
    hosts.up({1, 2, 3, 4});
    const FailureMessage all{1, true, {{2, 3}}, {ErrorKind::unreachable, "run", "n1", -1, {}, {}}};
    EXPECT_EQ(hosts.news_of(all)->nodes(), all.nodes());
    hosts.failed({1, true, {}, {}});
    hosts.leaves(3);
    EXPECT_FALSE(hosts.is_up(3));
    EXPECT_FALSE(hosts.has_failed(3));
    const auto news = hosts.news_of(all);
    EXPECT_EQ(news->nodes(), (std::vector<NodeRange>{{2, 1}, {4, 1}}));
    EXPECT_EQ(news->error.host, "") << "it was that of the first";
    EXPECT_EQ(news->error.cause, "lost with n1");
    hosts.failed(all);
    EXPECT_TRUE(hosts.has_failed(3));
    EXPECT_FALSE(hosts.news_of(all));
    EXPECT_FALSE(hosts.news_of({9, true, {{1, 4}}, {}}));
}

/// A relay that has lost its mind, or is no relay, may name what there is not.
TEST(HostRecord, what_the_head_tells_of_itself_is_always_news) {
    const HostRecord hosts(four);
    EXPECT_TRUE(hosts.news_of({0, false, {}, {}}));
    EXPECT_FALSE(hosts.news_of({5, false, {}, {}}));
}

TEST(HostRecord, what_there_is_not_changes_nothing) {
    HostRecord hosts(four);
    EXPECT_TRUE(hosts.up({0, 5, UINT32_MAX}).empty());
    hosts.failed({9, true, {{1, 4}}, {}});
    hosts.failed({4, true, {{0, 1}, {UINT32_MAX, 2}}, {}});
    EXPECT_EQ(hosts.unknown(), (std::vector<NodeIndex>{1, 2, 3}));
    EXPECT_EQ(hosts.name_of(0), "the head");
    EXPECT_EQ(hosts.name_of(4), "n4");
    EXPECT_EQ(hosts.name_of(5), "");
    EXPECT_FALSE(hosts.is_up(0));
}

}  // namespace
}  // namespace launch
