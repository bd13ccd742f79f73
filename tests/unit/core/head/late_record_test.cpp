// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "core/head/job_message.hpp"
#include "core/head/job_record.hpp"

namespace launch {
namespace {

/// Four hosts of two slots.
Plan plan_of(JobSpec spec) {
    spec.programs = {{{"./app"}, 0, {}, ""}};
    for (const char* name : {"n1", "n2", "n3", "n4"})
        spec.hosts.push_back({"", name, 0, 2});
    auto star = [](const std::string&, uint32_t, NodeIndex, std::string*) {
        class Star final : public Topology {
            std::string name() const override { return "star"; }
            void children(NodeIndex, NodeIndex, std::vector<NodeIndex>&) const override {}
            NodeIndex parent(NodeIndex, NodeIndex) const override { return 0; }
        };
        return Result<std::unique_ptr<Topology>>(std::make_unique<Star>());
    };
    return std::move(*make_plan(std::move(spec), star));
}

/// The last of them a spare.
Plan with_a_spare() {
    JobSpec spec;
    spec.spares = 1;
    return plan_of(std::move(spec));
}

FailureMessage refused(NodeIndex node, bool was_up = false) {
    FailureMessage failure;
    failure.node = node;
    failure.was_up = was_up;
    failure.error = {ErrorKind::unreachable, "connect", "n", -1, "refused", ""};
    return failure;
}

TEST(LateRecord, there_are_no_ranks_before_they_are_placed) {
    Plan plan = with_a_spare();
    JobRecord record(plan);
    for (const NodeIndex node : {1u, 3u, 4u})
        record.node_up(node);
    EXPECT_EQ(record.running(), 0u);
    record.host_failed(refused(2));
    EXPECT_TRUE(record.all_known());
    EXPECT_FALSE(record.all_ended());
    EXPECT_FALSE(record.placed());
    EXPECT_EQ(record.up(), (std::vector<bool>{true, false, true, true}));
}

TEST(LateRecord, who_was_missing_is_no_failure_of_the_job) {
    Plan plan = with_a_spare();
    JobRecord record(plan);
    for (const NodeIndex node : {1u, 3u, 4u})
        record.node_up(node);
    record.host_failed(refused(2));
    const auto placed = place_on_living(plan, record.up());
    ASSERT_TRUE(placed);
    plan.placement = placed->deal.placement.arranged(std::vector<uint32_t>{0, 3, 2}, 4);
    EXPECT_EQ(record.place_ranks().size(), 1u);
    EXPECT_TRUE(record.host_failures().empty());
    EXPECT_EQ(record.running(), 0u);
    record.start_ranks();
    EXPECT_EQ(record.running(), 6u);
    EXPECT_EQ(record.host_of_rank(2), "n4");
    // Its parent's word came late, or it is up at last: no news.
    record.host_failed(refused(2));
    record.node_up(2);
    EXPECT_TRUE(record.host_failures().empty());
    EXPECT_EQ(record.running(), 6u);
    for (const uint32_t rank : {0u, 1u, 4u, 5u})
        EXPECT_FALSE(record.rank_ended({rank, {}, {}}));
    EXPECT_EQ(record.hosts_with_running_ranks(), (std::vector<std::string>{"n4", "n4"}));
    record.host_failed(refused(4, true));
    EXPECT_TRUE(record.all_ended());
    EXPECT_EQ(record.host_failures().size(), 1u);
}

TEST(LateRecord, who_was_lost_before_its_ranks_were_placed_takes_them_with_it) {
    JobSpec spec;
    spec.policies.host_loss = HostLoss::go_on;
    const Plan plan = plan_of(std::move(spec));
    JobRecord record(plan);
    for (const NodeIndex node : {1u, 2u, 3u, 4u})
        record.node_up(node);
    FailureMessage lost = refused(2, true);
    lost.below = {{3, 1}};
    record.host_failed(lost);
    EXPECT_FALSE(record.placed());
    EXPECT_TRUE(record.place_ranks().empty());
    EXPECT_EQ(record.host_failures().size(), 1u);
    record.start_ranks();
    EXPECT_EQ(record.running(), 4u);
    for (const uint32_t rank : {2u, 4u})
        EXPECT_FALSE(record.rank_ended({rank, {ExitStatus::Kind::exited, 1}, {}}));
    EXPECT_EQ(record.hosts_with_running_ranks(),
              (std::vector<std::string>{"n1", "n1", "n4", "n4"}));
    for (const uint32_t rank : {0u, 1u, 6u, 7u})
        record.rank_ended({rank, {}, {}});
    EXPECT_TRUE(record.all_ended());
    EXPECT_EQ(record.running(), 0u);
}

/// A relay that has lost its mind, or is no relay, may name what the job does not have.
TEST(LateRecord, what_the_job_does_not_have_is_nobodys) {
    const Plan plan = plan_of({});
    JobRecord record(plan);
    for (NodeIndex node = 0; node < 6; ++node)
        record.node_up(node);
    EXPECT_EQ(record.hosts_up(), 4u);
    EXPECT_EQ(record.host_of_rank(7), "n4");
    EXPECT_EQ(record.host_of_rank(8), "");
    EXPECT_EQ(record.host_of_rank(UINT32_MAX), "");
    auto failure = refused(9, true);
    failure.below = {{0, 1}, {UINT32_MAX, 2}};
    EXPECT_FALSE(record.has_ranks(failure));
    failure.below.push_back({0, 2});
    EXPECT_TRUE(record.has_ranks(failure));
    Plan late = with_a_spare();
    EXPECT_EQ(JobRecord(late).host_of_rank(0), "");
}

/// Of a host that is not up: those of the others run on.
TEST(LateRecord, an_end_where_nothing_runs_ends_nothing_else) {
    const Plan plan = plan_of({});
    JobRecord record(plan);
    record.node_up(1);
    for (const uint32_t rank : {2u, 3u})
        record.rank_ended({rank, {}, {}});
    record.start_ranks();
    EXPECT_EQ(record.running(), 2u);
    record.node_up(2);
    EXPECT_EQ(record.running(), 2u);  // those of its ranks have ended
    record.host_failed(refused(1, true));
    EXPECT_EQ(record.running(), 0u);
}

TEST(LateRecord, the_tree_is_told_first_the_hosts_then_the_ranks) {
    const Plan plan = with_a_spare();
    JobMessage job = job_message(plan, "");
    EXPECT_EQ(job.ranks, 0u);
    EXPECT_TRUE(job.placed_late);
    EXPECT_EQ(tree_message(plan).nodes, 4u);
    const auto message =
        late_assignment(plan, *place_on_living(plan, {true, false, true, true}), true);
    EXPECT_EQ(message.parts, (std::vector<AssignmentMessage::Part>{{1, HostRank{0}, {{0, 2, 1}}},
                                                                   {3, HostRank{2}, {{4, 2, 1}}},
                                                                   {4, HostRank{1}, {{2, 2, 1}}}}));
    const auto placement = JobPlacement::decode(message.job);
    ASSERT_TRUE(placement && placement->is_of(job));
    placement->apply_to(job);
    EXPECT_EQ(job.nodes, 3u);
    EXPECT_TRUE(job.may_leave_wdir);
    EXPECT_EQ(job.programs[0].ranks, 6u);
}

}  // namespace
}  // namespace launch
