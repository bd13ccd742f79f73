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
             {6, HostRank{2}, {{7, 1, 1}}}}};
}

TEST(Assignment, comes_back) {
    const auto message = sample();
    const auto back = AssignmentMessage::decode(message.encode());
    ASSERT_TRUE(back);
    EXPECT_EQ(back->job, message.job);
    EXPECT_EQ(back->parts, message.parts);
    const auto job = JobPlacement::decode(sample_placement().encode());
    ASSERT_TRUE(job);
    EXPECT_EQ(job->encode(), sample_placement().encode());
}

TEST(Assignment, a_block_gets_its_part) {
    const auto message = sample();
    const auto& parts = message.parts;
    using Parts = std::vector<AssignmentMessage::Part>;
    struct {
        NodeIndex first;
        NodeIndex count;
        Parts parts;
    } rows[] = {
        {1, 6, parts},      {2, 1, {parts[0]}},           {3, 2, {}},
        {3, 3, {parts[1]}}, {5, 9, {parts[1], parts[2]}}, {6, 1, {parts[2]}},
        {7, 4, {}},
    };
    for (const auto& row : rows) {
        const auto part = message.part_of(row.first, row.count);
        EXPECT_EQ(part.parts, row.parts) << row.first << " " << row.count;
        EXPECT_EQ(part.job, message.job);
    }
    EXPECT_EQ(message.part_at(4), nullptr);
    ASSERT_NE(message.part_at(5), nullptr);
    EXPECT_EQ(message.part_at(5)->host, HostRank{0});
    EXPECT_EQ(message.part_at(7), nullptr);
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
    EXPECT_FALSE(few.apply_to(job));
    EXPECT_FALSE(many.apply_to(job));
    EXPECT_FALSE((JobPlacement{0, 0, 0, {0, 0}, "", "", {}}.apply_to(job)));
    EXPECT_EQ(job.ranks, 0u);
    ASSERT_TRUE(sample_placement().apply_to(job));
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
