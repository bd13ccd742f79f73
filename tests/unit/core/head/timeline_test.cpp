// SPDX-License-Identifier: MIT
#include "core/head/timeline.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

using std::chrono::microseconds;

Plan two_hosts() {
    JobSpec spec;
    spec.programs = {{{"./app"}, 4, {}, ""}};
    for (const char* name : {"n1", "n2"})
        spec.hosts.push_back({"", name, 0, 2});
    auto no_tree = [](const std::string&, uint32_t, NodeIndex, std::string*) {
        return Result<std::unique_ptr<Topology>>(std::unique_ptr<Topology>());
    };
    return std::move(*make_plan(std::move(spec), no_tree));
}

HostStart start_of(NodeIndex node, uint64_t dial, uint64_t greeted) {
    HostStart start{node, StartStage::greeted, {}};
    start.began[static_cast<size_t>(StartStage::dial)] = dial;
    start.began[static_cast<size_t>(StartStage::greeted)] = greeted;
    return start;
}

constexpr auto dial = static_cast<size_t>(StartStage::dial);

TEST(Timeline, puts_all_on_the_clock_of_the_head) {
    const Plan plan = two_hosts();
    const auto began = std::chrono::steady_clock::now();
    TimelineRecord record(plan, began);
    HostStarts starts(2);
    starts.take({1, {start_of(2, 10, 70)}});  // the first host starts the second
    starts.take({0, {start_of(1, 5, 100)}});
    record.up({1, 2}, began + microseconds{300});
    record.take(CostsMessage{{{2, 77, 1000, 3000, 50, 60, 7, 8}, {99, 1, 0, 0, 0, 0, 0, 0}}});
    record.take(ExitsMessage{{{2, {ExitStatus::Kind::exited, 3}, {}}, {99, {}, {}}}});
    PhaseTimes times;
    times.up = began + microseconds{300};
    times.ending = began + microseconds{5000};
    const auto line = record.close(starts, times, began + microseconds{6000});
    ASSERT_EQ(line.hosts.size(), 2u);
    EXPECT_EQ(line.hosts[0].began[dial], 5u);
    EXPECT_EQ(line.hosts[1].began[dial], 110u);
    EXPECT_EQ(line.hosts[1].started_by, 1u);
    EXPECT_EQ(line.hosts[1].up_us, 300u);
    ASSERT_EQ(line.ranks.size(), 4u);
    EXPECT_EQ(line.ranks[2].node, 2u);
    EXPECT_EQ(line.ranks[2].cost->start_us, 1170u);
    EXPECT_EQ(line.ranks[2].cost->end_us, 3170u);
    EXPECT_EQ(line.ranks[2].ended->value, 3);
    EXPECT_FALSE(line.ranks[0].ended);
    EXPECT_EQ(line.over_us, 6000u);
}

TEST(Timeline, tells_of_lost_hosts_and_whom_they_took_along) {
    const Plan plan = two_hosts();
    const auto began = std::chrono::steady_clock::now();
    TimelineRecord record(plan, began);
    FailureMessage failure{1, true, {{2, 1}}, {}};
    failure.error = {ErrorKind::unreachable, "run", "n1", -1, "no word from it", {}};
    record.failed(failure, began + microseconds{40});
    const auto line = record.close(HostStarts(2), {}, began + microseconds{50});
    EXPECT_EQ(line.hosts[0].error, "run: no word from it");
    EXPECT_EQ(line.hosts[1].error, "lost with n1");
    EXPECT_EQ(line.hosts[1].failed_us, 40u);
    EXPECT_FALSE(line.up_us);
}

TEST(Starts, read_as_written) {
    const StartsMessage starts{3, {start_of(4, 0, 7), {5, StartStage::push, {}}}};
    EXPECT_EQ(StartsMessage::decode(starts.encode()), starts);
    EXPECT_FALSE(StartsMessage::decode(starts.encode() + "x"));
    const CostsMessage costs{{{1, 2, 3, 4, 5, 6, 7, 8}}};
    EXPECT_EQ(CostsMessage::decode(costs.encode()), costs);
    EXPECT_FALSE(CostsMessage::decode("\x02"));
}

}  // namespace
}  // namespace launch
