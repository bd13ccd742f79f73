// SPDX-License-Identifier: MIT
#include "core/wire/assignment.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

JobPlacement sample_placement() {
    return {5, 2, 7, {4, 1}, "map", "(vector,(0,2,3))", {"n1", "n[1-2]"}};
}

AssignmentMessage sample() {
    return {"job",
            {{2, HostRank{1}, {{3, 2, 1}}},
             {5, HostRank{0}, {{0, 3, 1}, {9, 2, 4}}},
             {6, HostRank{2}, {{7, 1, 1}}}},
            {{1, 3}, {5, 2}},
            9};
}

TEST(Assignment, comes_back) {
    const auto message = sample();
    const auto back = AssignmentMessage::decode(message.encode());
    ASSERT_TRUE(back);
    EXPECT_EQ(back->job, message.job);
    EXPECT_EQ(back->parts, message.parts);
    EXPECT_EQ(back->nodes, message.nodes);
    EXPECT_EQ(back->joined, message.joined);
    const auto job = JobPlacement::decode(sample_placement().encode());
    ASSERT_TRUE(job);
    EXPECT_EQ(job->encode(), sample_placement().encode());
}

TEST(Assignment, tells_each_child_of_its_nodes) {
    const auto message = sample();
    const auto& parts = message.parts;
    using Parts = std::vector<AssignmentMessage::Part>;
    using Nodes = std::vector<NodeRange>;
    struct {
        Nodes wanted;
        Parts parts;
        Nodes nodes;
    } rows[] = {
        {{{1, 6}}, parts, {{1, 3}, {5, 2}}},
        {{{2, 1}}, {parts[0]}, {{2, 1}}},
        {{{3, 2}}, {}, {{3, 1}}},
        {{{4, 1}}, {}, {}},
        {{{6, 1}, {1, 2}}, {parts[0], parts[2]}, {{1, 2}, {6, 1}}},
        {{{7, 4}}, {}, {}},
        {{}, {}, {}},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(testing::PrintToString(&row - rows));
        const auto part = message.part_of(row.wanted);
        EXPECT_EQ(part.parts, row.parts);
        EXPECT_EQ(part.nodes, row.nodes);
        EXPECT_EQ(part.job, message.job);
        EXPECT_EQ(part.joined, message.joined);
        EXPECT_TRUE(part.is_complete());
        auto rest = message.without(part);
        EXPECT_EQ(rest.parts.size() + part.parts.size(), parts.size());
        rest.add(part);
        EXPECT_EQ(rest.parts, parts);
        EXPECT_TRUE(message.without(rest).nodes.empty());
    }
    EXPECT_EQ(message.part_at(4), nullptr);
    ASSERT_NE(message.part_at(5), nullptr);
    EXPECT_EQ(message.part_at(5)->host, HostRank{0});
    EXPECT_EQ(message.part_at(7), nullptr);
}

TEST(Assignment, of_other_nodes_is_not_known_whether_they_have_ranks) {
    auto message = sample();
    const std::vector<bool> told{false, true, true, true, false, true, true, false, false, true};
    for (NodeIndex node = 0; node < told.size(); ++node)
        EXPECT_EQ(message.covers(node), told[node]) << node;
    EXPECT_TRUE(message.covers(UINT32_MAX));
    EXPECT_TRUE(message.is_complete());
    message.nodes.pop_back();
    EXPECT_FALSE(message.is_complete());
}

TEST(Assignment, what_is_malformed_is_refused) {
    auto twice = sample();
    twice.parts[1].node = twice.parts[0].node;
    auto standing = sample();  // what looks for a rank in it divides by the step
    standing.parts[1].runs[0].stride = 0;
    EXPECT_FALSE(AssignmentMessage::decode(standing.encode()));
    const std::string whole = sample().encode();
    EXPECT_FALSE(AssignmentMessage::decode(twice.encode()));
    EXPECT_FALSE(AssignmentMessage::decode(whole + "x"));
    EXPECT_FALSE(JobPlacement::decode(sample_placement().encode() + "x"));
    for (size_t size = 0; size < whole.size(); ++size)
        EXPECT_FALSE(AssignmentMessage::decode(whole.substr(0, size))) << size;
}

TEST(Assignment, tells_a_job_where_its_ranks_are) {
    JobMessage job;
    job.programs = {{{"a"}, 3, {}, ""}, {{"b"}, 3, {}, ""}};
    auto few = sample_placement();
    few.program_ranks = {5};
    auto many = sample_placement();
    many.program_ranks = {4, 2};
    EXPECT_FALSE(few.is_of(job));
    EXPECT_FALSE(many.is_of(job));
    EXPECT_FALSE((JobPlacement{0, 0, 0, {0, 0}, "", "", {}}.is_of(job)));
    ASSERT_TRUE(sample_placement().is_of(job));
    sample_placement().apply_to(job);
    EXPECT_EQ(job.ranks, 5u);
    EXPECT_EQ(job.nodes, 2u);
    EXPECT_EQ(job.universe_size, 7u);
    EXPECT_EQ(job.programs[0].ranks, 4u);
    EXPECT_EQ(job.programs[1].ranks, 1u);
    EXPECT_EQ(job.node_map, "map");
    EXPECT_EQ(job.process_mapping, "(vector,(0,2,3))");
    EXPECT_EQ(job.hosts, (JobHosts{"n1", "n[1-2]"}));
}

}  // namespace
}  // namespace launch
