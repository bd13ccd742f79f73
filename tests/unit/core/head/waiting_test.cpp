#include "core/head/waiting.hpp"

#include <gtest/gtest.h>

#include "core/head/notices.hpp"

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
    EXPECT_EQ(progress_line(record, starts, false),
              "staging: 1 of 3 hosts have the files, waiting for n[1,3]");
    record.node_staged(1);
    record.node_staged(3);
    EXPECT_EQ(progress_line(record, starts, false), "");
}

TEST(Waiting, tells_for_whom) {
    const Plan plan = three_hosts();
    JobRecord record(plan);
    HostStarts starts(plan.hosts.size());
    record.node_up(2);
    EXPECT_EQ(progress_line(record, starts, false),
              "starting: 1 of 3 hosts up, waiting for n[1,3]");
    EXPECT_EQ(progress_line(record, starts, true), "");
    EXPECT_EQ(timeout_error(record, starts, "--timeout", milliseconds{300}).cause,
              "not done within --timeout 0.3 s; starting: 1 of 3 hosts up, waiting for n[1,3]");
    HostRecord hosts(plan.hosts);
    hosts.up({2});
    const auto late = late_hosts(hosts, milliseconds{2500});
    ASSERT_EQ(late.size(), 2u);
    EXPECT_EQ(describe(late[1].error),
              "n3: start: not started within 2.5 s (if it takes so long: --start-limit)");
    record.node_up(1);
    record.node_up(3);
    EXPECT_EQ(progress_line(record, starts, false), "");
    EXPECT_EQ(record.running(), 0u);
    record.start_ranks();
    EXPECT_EQ(progress_line(record, starts, true), "ending: waiting for 6 ranks");
    for (const uint32_t rank : {0u, 1u, 2u, 4u, 5u})
        record.rank_ended({rank, {}, {}});
    EXPECT_EQ(progress_line(record, starts, true), "ending: waiting for 1 rank");
    EXPECT_EQ(timeout_error(record, starts, "--timeout", milliseconds{300}).cause,
              "not done within --timeout 0.3 s; 1 rank was still running on n2");
}

TEST(Waiting, tells_in_which_stage) {
    const Plan plan = three_hosts();
    JobRecord record(plan);
    HostStarts starts(plan.hosts.size());
    starts.take({0, {{1, StartStage::dial, {}}, {2, StartStage::hello, {}}, {9, {}, {}}}});
    EXPECT_EQ(progress_line(record, starts, false),
              "starting: 0 of 3 hosts up, waiting for n2 (hello), n1 (dial), n3 (not tried yet)");
    starts.take({2, {{3, StartStage::dial, {}}}});
    record.node_up(2);
    EXPECT_EQ(progress_line(record, starts, false),
              "starting: 1 of 3 hosts up, waiting for n[1,3] (dial)");
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
    EXPECT_EQ(progress_line(record, starts, false, time),
              "starting: 1 of 3 hosts up, waiting for n[1,3], 3 s of 52 s");
    EXPECT_EQ(after(milliseconds{65'000}) + "; " + start_limits(plan.spec.policies),
              "after 1 min 5 s; a host has 10 s to answer (--connect-timeout), then 60 s to be up "
              "(--start-timeout)");
}

TEST(Waiting, answers_who_asks_at_any_time) {
    const Plan plan = three_hosts();
    JobRecord record(plan);
    const TimeTaken time{milliseconds{3400}, {}};
    EXPECT_EQ(status_line(record, "starting: words", time), "starting: words");
    EXPECT_EQ(status_line(record, "", time), "no rank runs yet");
    for (const NodeIndex node : {1u, 2u, 3u})
        record.node_up(node);
    record.start_ranks();
    for (const uint32_t rank : {0u, 2u, 3u})
        record.rank_ended({rank, {}, {}});
    EXPECT_EQ(status_line(record, "", time), "running: 3 of 6 ranks, 3 s: ranks 1,4,5 on n[1,3]");
    EXPECT_EQ(status_line(record, "ending: waiting for 3 ranks", time),
              "ending: waiting for 3 ranks: ranks 1,4,5 on n[1,3]");
    for (const uint32_t rank : {1u, 4u, 5u})
        record.rank_ended({rank, {}, {}});
    EXPECT_EQ(status_line(record, "", time), "no rank runs any more");
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
    EXPECT_EQ(interrupted_line(record),
              "ranks 2,4,5 on n[2-3] still run after ^C; a second ^C kills them");
    record.rank_ended({2, {}, {}});
    record.rank_ended({4, {}, {}});
    EXPECT_EQ(interrupted_line(record), "rank 5 on n3 still runs after ^C; a second ^C kills it");
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
