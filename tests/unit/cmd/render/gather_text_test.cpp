// SPDX-License-Identifier: MIT
#include "cmd/render/gather_text.hpp"

#include <gtest/gtest.h>

#include "tests/unit/golden.hpp"

namespace launch {
namespace {

GatheredGroup group(const std::vector<uint32_t>& ranks, std::vector<std::string> hosts,
                    std::string text, int exit_code = 0) {
    GatheredGroup made{
        {}, std::move(hosts), ExitStatus{ExitStatus::Kind::exited, exit_code}, std::move(text)};
    for (const uint32_t rank : ranks)
        made.ranks.push_back({0, rank});
    return made;
}

constexpr auto rule = "---------------\n";

std::string ruled(const std::string& name) {
    return rule + name + "\n" + rule;
}

TEST(GatherText, a_block_for_each_group) {
    GatheredOutput output;
    output.out = {group({0, 1, 3}, {"n1", "n2", "n4"}, "a\n"), group({2}, {"n3"}, "b")};
    output.err = {group({0, 1, 2, 3}, {"n1", "n2", "n3", "n4"}, "")};
    EXPECT_EQ(gather_text(output, Stream::out, GatherChoice::blocks),
              ruled("n[1-2,4] (3)") + "a\n" + ruled("n3") + "b\n");
    EXPECT_EQ(gather_text(output, Stream::err, GatherChoice::blocks), "");
    output.one_rank_a_host = false;
    EXPECT_EQ(gather_text(output, Stream::out, GatherChoice::blocks),
              ruled("ranks 0,1,3 (3) on n[1-2,4]") + "a\n" + ruled("rank 2 on n3") + "b\n");
}

TEST(GatherText, tells_who_failed_though_silent) {
    GatheredOutput output;
    output.exits_differ = true;
    output.out = {group({0, 1}, {"n1", "n2"}, ""), group({2}, {"n3"}, "", 3)};
    EXPECT_EQ(gather_text(output, Stream::out, GatherChoice::blocks), ruled("n3: exit code 3"));
}

TEST(GatherText, shows_how_groups_differ_from_the_largest) {
    GatheredOutput output;
    output.out = {group({0, 1}, {"n1", "n2"}, "a\nb\n"), group({2}, {"n3"}, "a\nc\n")};
    EXPECT_EQ(gather_text(output, Stream::out, GatherChoice::diff),
              ruled("n[1-2] (2)") + "a\nb\n--- n[1-2] (2)\n+++ n3\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
}

TEST(GatherText, names_spawned_processes) {
    GatheredOutput output;
    output.one_rank_a_host = false;
    output.out = {group({0}, {"n1", "n1", "n2", "n2"}, "a\n")};
    for (const RankOfSpace rank : {RankOfSpace{1, 0}, {1, 1}, {2, 0}})
        output.out.front().ranks.push_back(rank);
    EXPECT_EQ(gather_text(output, Stream::out, GatherChoice::blocks),
              ruled("rank 0, ranks 1.[0,1], rank 2.0 (4) on n[1-2]") + "a\n");
    expect_golden("json", gather_json(output));
}

TEST(GatherText, is_json_for_scripts) {
    GatheredOutput output;
    output.out = {group({0}, {"n1"}, "a\n", 3)};
    expect_golden("json", gather_json(output));
}

}  // namespace
}  // namespace launch
