// SPDX-License-Identifier: MIT
#include "core/head/waiting.hpp"

#include <gtest/gtest.h>

#include "core/head/notices.hpp"
#include "tests/unit/golden.hpp"

namespace launch {
namespace {

using Lines = std::vector<Notices::Line>;

Plan three_hosts(StageSpec stage = {}) {
    JobSpec spec;
    spec.stage = std::move(stage);
    spec.programs = {{{"./app"}, 6, {}, ""}};
    for (const char* name : {"n1", "n2", "n3"})
        spec.hosts.push_back({"", name, 0, 2});
    auto no_tree = [](const std::string&, uint32_t, NodeIndex, std::string*) {
        return Result<std::unique_ptr<Topology>>(std::unique_ptr<Topology>());
    };
    return std::move(*make_plan(std::move(spec), no_tree));
}

TEST(Waiting, tells_who_lacks_files) {
    const Plan plan = three_hosts({{{"/a", "a", 1, 0644}}, false, ""});
    JobRecord record(plan);
    HostStarts starts(plan.hosts.size());
    for (const NodeIndex node : {1u, 2u, 3u})
        record.node_up(node);
    record.node_staged(2);
    expect_told({"1 of 3", "n[1,3]"}, progress_line(record, starts, false));
    record.node_staged(1);
    record.node_staged(3);
    EXPECT_EQ(progress_line(record, starts, false), "");
}

TEST(Waiting, tells_for_whom) {
    const Plan plan = three_hosts();
    JobRecord record(plan);
    HostStarts starts(plan.hosts.size());
    record.node_up(2);
    expect_told({"1 of 3", "n[1,3]"}, progress_line(record, starts, false));
    EXPECT_EQ(progress_line(record, starts, true), "");
    expect_told({"0.3 s", "1 of 3", "n[1,3]"},
                timeout_error(record, starts, "--timeout", milliseconds{300}).cause);
    HostRecord hosts(plan.hosts);
    hosts.up({2});
    expect_told({"n3", "2.5 s"}, describe(late_host(hosts, 3, milliseconds{2500}).error));
    record.node_up(1);
    record.node_up(3);
    EXPECT_EQ(progress_line(record, starts, false), "");
    EXPECT_EQ(record.running(), 0u);
    record.start_ranks();
    expect_told({"6 ranks"}, progress_line(record, starts, true));
    for (const uint32_t rank : {0u, 1u, 2u, 4u, 5u})
        record.rank_ended({rank, {}, {}});
    expect_told({"1 rank"}, progress_line(record, starts, true));
    expect_told({"0.3 s", "1 rank", "n2"},
                timeout_error(record, starts, "--timeout", milliseconds{300}).cause);
}

TEST(Waiting, tells_that_a_job_hangs) {
    const milliseconds limit{300'000};
    expect_told({"64 ranks", "--hang 300 s"}, describe(hang_error({64, 0, {}}, limit)));
    expect_told({"1 rank ", "1 only polls", "rank 0 is stopped"},
                describe(hang_error({1, 1, {0}}, limit)));
    expect_told({"62 only poll", "ranks 3,5 are stopped"},
                describe(hang_error({64, 62, {3, 5}}, limit)));
}

TEST(Waiting, tells_in_which_stage) {
    const Plan plan = three_hosts();
    JobRecord record(plan);
    HostStarts starts(plan.hosts.size());
    starts.take({0, {{1, StartStage::dial, {}}, {2, StartStage::hello, {}}, {9, {}, {}}}});
    expect_told({"0 of 3", "n2 (hello)", "n1 (dial)", "n3"}, progress_line(record, starts, false));
    starts.take({2, {{3, StartStage::dial, {}}}});
    record.node_up(2);
    expect_told({"1 of 3", "n[1,3]"}, progress_line(record, starts, false));
}

TEST(Waiting, tells_how_long_ranks_run) {
    const Plan plan = three_hosts();
    JobRecord record(plan);
    EXPECT_EQ(running_line(record, {}), "");
    for (const NodeIndex node : {1u, 2u, 3u})
        record.node_up(node);
    record.start_ranks();
    record.rank_ended({4, {}, {}});
    const struct {
        TimeTaken time;
        const char* text;
    } rows[] = {
        {{milliseconds{1999}, {}}, "running: 5 of 6 ranks, 1 s"},
        {{milliseconds{59'000}, milliseconds{90'000}}, "running: 5 of 6 ranks, 59 s of 1 min 30 s"},
        {{milliseconds{3'725'000}, {}}, "running: 5 of 6 ranks, 1 h 2 min"},
    };
    for (const auto& row : rows)
        EXPECT_EQ(running_line(record, row.time), row.text);
}

TEST(Waiting, tells_how_long_a_start_takes_and_may_take) {
    const Plan plan = three_hosts();
    JobRecord record(plan);
    HostStarts starts(plan.hosts.size());
    record.node_up(2);
    const TimeTaken time{milliseconds{3400}, milliseconds{52'000}};
    expect_told({"1 of 3", "n[1,3]", "3 s", "52 s"}, progress_line(record, starts, false, time));
    EXPECT_EQ(after(milliseconds{65'000}), "after 1 min 5 s");
    expect_told({"10 s", "--connect-timeout", "60 s", "--start-timeout"},
                start_limits(plan.spec.policies));
}

TEST(Waiting, answers_who_asks_at_any_time) {
    const Plan plan = three_hosts();
    JobRecord record(plan);
    const TimeTaken time{milliseconds{3400}, {}};
    expect_golden("a phase", status_line(record, "starting: words", time));
    expect_golden("before ranks run", status_line(record, "", time));
    for (const NodeIndex node : {1u, 2u, 3u})
        record.node_up(node);
    record.start_ranks();
    for (const uint32_t rank : {0u, 2u, 3u})
        record.rank_ended({rank, {}, {}});
    expect_told({"3 of 6", "3 s", "ranks 1,4,5", "n[1,3]"}, status_line(record, "", time));
    expect_told({"3 ranks", "ranks 1,4,5", "n[1,3]"},
                status_line(record, "ending: waiting for 3 ranks", time));
    for (const uint32_t rank : {1u, 4u, 5u})
        record.rank_ended({rank, {}, {}});
    expect_golden("after the last rank", status_line(record, "", time));
}

TEST(LongStart, is_told_of_once_and_only_in_silence) {
    const Clock::time_point began(std::chrono::hours{1});
    const auto at = [began](int ms) { return began + milliseconds{ms}; };
    LongStart quiet(began);
    EXPECT_FALSE(quiet.is_due(at(4999), {}));
    EXPECT_TRUE(quiet.is_due(at(5000), {}));
    EXPECT_FALSE(quiet.is_due(at(90'000), {}));
    LongStart talkative(began);
    EXPECT_FALSE(talkative.is_due(at(5000), at(3000)));
    EXPECT_FALSE(talkative.is_due(at(7999), at(3000)));
    EXPECT_FALSE(talkative.is_due(at(8000), at(7000)));
    EXPECT_TRUE(talkative.is_due(at(12'000), at(7000)));
}

TEST(Waiting, tells_whom_an_interrupt_has_not_ended) {
    const Plan plan = three_hosts();
    JobRecord record(plan);
    HostStarts starts(plan.hosts.size());
    for (const NodeIndex node : {1u, 2u, 3u})
        record.node_up(node);
    for (const uint32_t rank : {0u, 1u, 3u})
        record.rank_ended({rank, {}, {}});
    expect_told({"ranks 2,4,5", "n[2-3]"}, interrupted_line(record));
    record.rank_ended({2, {}, {}});
    record.rank_ended({4, {}, {}});
    expect_told({"rank 5", "n3"}, interrupted_line(record));
    record.rank_ended({5, {}, {}});
    EXPECT_EQ(interrupted_line(record), "");
}

TEST(Notices, are_told_once_and_folded) {
    const auto now = std::chrono::steady_clock::now();
    const auto later = now + milliseconds{5};
    Notices notices;
    EXPECT_EQ(notices.due(), Notices::Time::max());
    notices.add({"no folder"}, "n2", now);
    notices.add({"of nobody"}, "", later);
    notices.add({"bound", true}, "n1", later);
    notices.add({"no folder"}, "n1", later);
    EXPECT_EQ(notices.due(), now);
    EXPECT_EQ(notices.take(),
              (Lines{{"note: n[1-2]: no folder"}, {"note: of nobody"}, {"note: n1: bound", true}}));
    EXPECT_EQ(notices.due(), Notices::Time::max());
    EXPECT_EQ(notices.take(), Lines{});
}

}  // namespace
}  // namespace launch
