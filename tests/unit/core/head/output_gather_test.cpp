// SPDX-License-Identifier: MIT
#include "core/head/output_gather.hpp"

#include <gtest/gtest.h>

#include "core/job/fold_ranks.hpp"

namespace launch {
namespace {

std::vector<std::string> hosts(uint32_t count) {
    std::vector<std::string> names;
    for (uint32_t rank = 0; rank < count; ++rank)
        names.push_back("n" + std::to_string(rank));
    return names;
}

/// "0 2 1.0"
std::string names_of(const GatheredGroup& group) {
    std::string text;
    for (const RankOfSpace& each : group.ranks)
        text += (text.empty() ? "" : " ") + rank_name(each.rank, each.space);
    return text;
}

TEST(OutputGather, ranks_with_the_same_output_are_one_group) {
    OutputGather gather;
    EXPECT_TRUE(gather.feed({0, 0}, Stream::out, "a\nb\n"));
    EXPECT_TRUE(gather.feed({0, 1}, Stream::out, "other"));
    EXPECT_TRUE(gather.feed({0, 2}, Stream::out, "a"));
    EXPECT_TRUE(gather.feed({0, 2}, Stream::out, "\nb"));
    EXPECT_TRUE(gather.feed({0, 2}, Stream::out, "\n"));
    EXPECT_TRUE(gather.feed({0, 1}, Stream::err, "e\n"));
    gather.placed(0, hosts(3));
    const auto made = gather.groups();
    ASSERT_EQ(made.out.size(), 2u);
    EXPECT_EQ(names_of(made.out[0]), "0 2");
    EXPECT_EQ(made.out[0].hosts, (std::vector<std::string>{"n0", "n2"}));
    EXPECT_EQ(made.out[0].text, "a\nb\n");
    EXPECT_EQ(made.out[1].text, "other");
    ASSERT_EQ(made.err.size(), 2u);
    EXPECT_EQ(made.err[0].text, "");
    EXPECT_EQ(names_of(made.err[1]), "1");
    EXPECT_TRUE(made.one_rank_a_host);
    EXPECT_FALSE(made.exits_differ);
    EXPECT_EQ(gather.text_of({0, 1}, Stream::out), "other");
}

TEST(OutputGather, ranks_that_ended_otherwise_are_another_group) {
    OutputGather gather;
    for (uint32_t rank = 0; rank < 4; ++rank) {
        gather.feed({0, rank}, Stream::out, "x\n");
        gather.ended({0, rank}, {ExitStatus::Kind::exited, rank == 1 ? 3 : 0});
    }
    gather.placed(0, std::vector<std::string>(5, "n"));
    const auto made = gather.groups();
    ASSERT_EQ(made.out.size(), 3u);
    EXPECT_EQ(names_of(made.out[0]), "0 2 3");
    EXPECT_EQ(names_of(made.out[1]), "1");
    EXPECT_FALSE(made.out[2].status);  // how rank 4 ended nobody said
    EXPECT_TRUE(made.exits_differ);
    EXPECT_FALSE(made.one_rank_a_host);
}

TEST(OutputGather, spawned_processes_are_beside_the_ranks_that_asked_for_them) {
    OutputGather gather;
    gather.feed({0, 0}, Stream::out, "master\n");
    for (const RankOfSpace rank : {RankOfSpace{1, 0}, {1, 1}, {2, 0}})
        gather.feed(rank, Stream::out, "worker\n");
    gather.ended({2, 0}, {ExitStatus::Kind::exited, 3});
    gather.placed(2, {"n1"});
    gather.placed(0, {"n0"});
    gather.placed(1, {"n0", "n1"});
    const auto made = gather.groups();
    ASSERT_EQ(made.out.size(), 3u);
    EXPECT_EQ(names_of(made.out[0]), "1.0 1.1");
    EXPECT_EQ(names_of(made.out[1]), "0");
    EXPECT_EQ(names_of(made.out[2]), "2.0");
    EXPECT_EQ(made.out[2].status->value, 3);
    EXPECT_FALSE(made.one_rank_a_host);
    EXPECT_EQ(gather.writers().size(), 4u);
}

TEST(OutputGather, long_lines_come_back_however_they_came) {
    std::string text;
    for (int i = 0; i < 300'000; ++i)
        text.push_back(static_cast<char>('a' + i % 26));
    OutputGather gather;
    gather.feed({0, 0}, Stream::out, text);
    for (size_t at = 0; at < text.size(); at += 777)
        gather.feed({0, 1}, Stream::out, std::string_view(text).substr(at, 777));
    gather.placed(0, hosts(2));
    const auto made = gather.groups();
    ASSERT_EQ(made.out.size(), 1u);
    EXPECT_EQ(made.out[0].text, text);
}

TEST(OutputGather, holds_what_differs_and_no_more_than_its_limit) {
    constexpr size_t limit = 100'000;
    OutputGather gather(limit);
    std::string same;
    for (int i = 0; i < 500; ++i)
        same += "line " + std::to_string(i) + "\n";
    for (uint32_t rank = 0; rank < 1000; ++rank)  // six megabytes, in all
        ASSERT_TRUE(gather.feed({0, rank}, Stream::out, same)) << rank;
    bool within = true;
    size_t fed = 0;
    for (int i = 0; within && fed < limit * 2; ++i) {
        const std::string line = "another " + std::to_string(i) + "\n";
        within = gather.feed({0, 7}, Stream::err, line);
        fed += line.size();
    }
    EXPECT_FALSE(within);
    EXPECT_LT(fed, limit);
}

}  // namespace
}  // namespace launch
