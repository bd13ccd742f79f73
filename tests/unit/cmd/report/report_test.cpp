// SPDX-License-Identifier: MIT
#include "cmd/report/report.hpp"

#include <gtest/gtest.h>

#include "cmd/report/chart.hpp"

namespace launch {
namespace {

constexpr uint64_t ms = 1000;

JobTimeline::Host host_up(const std::string& name, uint64_t hello, uint64_t up) {
    JobTimeline::Host host;
    host.name = name;
    host.started_by = 0;
    host.began[static_cast<size_t>(StartStage::dial)] = 1 * ms;
    host.began[static_cast<size_t>(StartStage::auth)] = 2 * ms;
    host.began[static_cast<size_t>(StartStage::hello)] = hello;
    host.began[static_cast<size_t>(StartStage::greeted)] = up - 1 * ms;
    host.up_us = up;
    return host;
}

/// So many hosts that are alike, of which one is slow, each with a rank.
RunReport sample(size_t hosts, uint64_t run_us) {
    RunReport report;
    JobTimeline& line = report.line;
    line.job_id = "j1";
    line.programs = {{{"./app", "a<b&c"}, static_cast<uint32_t>(hosts), {}, ""}};
    const uint64_t begin = 3100 * ms;
    for (size_t i = 1; i <= hosts; ++i) {
        const bool slow = i == 7;
        line.hosts.push_back(
            host_up("n" + std::to_string(i), 50 * ms, slow ? 3000 * ms : 100 * ms + i));
        JobTimeline::Rank rank;
        rank.node = static_cast<NodeIndex>(i);
        rank.ended = ExitStatus{};
        rank.cost =
            RankCost{static_cast<uint32_t>(i - 1), 100, begin, begin + run_us, 5, 600, 7, 8};
        line.ranks.push_back(rank);
    }
    line.up_us = 3000 * ms;
    line.ending_us = begin + run_us;
    line.over_us = line.ending_us + 10 * ms;
    return report;
}

TEST(RunReport, is_read_as_written) {
    RunReport report = sample(3, 2000 * ms);
    report.exit_code = 9;
    report.line.session = "s";
    report.line.hosts[1].failed_us = 77;
    report.line.hosts[1].error = "run: \"lost\"";
    report.line.ranks[1] = {2, std::nullopt, {}, std::nullopt};
    report.line.ranks[2].ended = ExitStatus{ExitStatus::Kind::signalled, 11};
    const std::string text = report_json(report);
    const auto again = read_report(text);
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_EQ(report_json(*again), text);
}

TEST(RunReport, refuses_what_is_none) {
    const struct {
        const char* text;
        const char* cause;
    } rows[] = {
        {"", "not JSON"},
        {"{\"version\": 1}", "not a report of launch (launch --report FILE writes one)"},
        {"[1]", "not a report of launch (launch --report FILE writes one)"},
        {"{\"version\": 2, \"hosts\": 0, \"ranks\": 0}",
         "a later launch wrote it: version 2; this one reads version 1"},
    };
    for (const auto& row : rows) {
        const auto report = read_report(row.text);
        ASSERT_FALSE(report) << row.text;
        EXPECT_EQ(report.error().cause, row.cause);
    }
    // What is of another kind than it should be is left out.
    EXPECT_TRUE(read_report("{\"version\": 1, \"hosts\": 0, \"ranks\": [1, {\"node\": 5}]}"));
}

TEST(Chart, marks_the_slow_host) {
    const Chart chart = chart_of(sample(16, 2000 * ms).line, 40);
    ASSERT_EQ(chart.rows.size(), 16u);
    for (const ChartRow& row : chart.rows)
        EXPECT_EQ(row.slow, row.hosts == "n7") << row.hosts;
    EXPECT_FALSE(chart.break_us);
    const auto lines = summary_of(sample(16, 2000 * ms), chart);
    EXPECT_EQ(lines[2], "slow: n7: most of it hello 2.94 s");
}

TEST(Chart, calls_no_host_slow_that_others_come_before) {
    JobTimeline line = sample(16, 2000 * ms).line;
    for (auto& host : line.hosts) {
        host.began[static_cast<size_t>(StartStage::queued)] = 1 * ms;
        if (host.name != "n9") continue;
        for (const auto stage :
             {StartStage::dial, StartStage::auth, StartStage::hello, StartStage::greeted})
            *host.began[static_cast<size_t>(stage)] += 2900 * ms;
        host.up_us = 3000 * ms;
    }
    for (const ChartRow& row : chart_of(line, 40).rows) {
        EXPECT_EQ(row.slow, row.hosts == "n7") << row.hosts;
        EXPECT_EQ(row.spans.front().phase == ChartPhase::queued, row.hosts == "n9") << row.hosts;
    }
}

TEST(Chart, folds_hosts_that_are_alike) {
    const Chart chart = chart_of(sample(900, 2000 * ms).line, 40);
    ASSERT_LE(chart.rows.size(), 40u);
    EXPECT_EQ(chart.rows.front().hosts, "n7");
    size_t hosts = 0;
    for (const ChartRow& row : chart.rows)
        hosts += row.count;
    EXPECT_EQ(hosts, 900u);
}

TEST(Chart, gives_a_short_start_a_scale_of_its_own) {
    const Chart chart = chart_of(sample(4, 3600 * 1000 * ms).line, 40);
    ASSERT_TRUE(chart.break_us);
    EXPECT_NEAR(chart.place(*chart.break_us), 0.6, 1e-6);
    EXPECT_NEAR(chart.place(chart.total_us), 1, 1e-6);
    EXPECT_LT(chart.place(100 * ms), chart.place(3000 * ms));
}

TEST(Chart, is_drawn_within_its_width) {
    for (const size_t hosts : {size_t{0}, size_t{1}, size_t{16}, size_t{900}}) {
        std::string text = report_text(sample(hosts, 2000 * ms), 80);
        const size_t chart = text.find("\n\n");
        const size_t legend = text.find("\n\n", chart + 2);
        for (size_t at = chart + 2; at < legend;) {
            const size_t end = text.find('\n', at);
            EXPECT_LE(end - at, 80u) << text.substr(at, end - at);
            at = end + 1;
        }
    }
}

TEST(ReportSvg, escapes_what_users_wrote) {
    const std::string svg = report_svg(sample(2, 2000 * ms));
    EXPECT_NE(svg.find("a&lt;b&amp;c"), std::string::npos);
    EXPECT_EQ(svg.find("a<b"), std::string::npos);
}

}  // namespace
}  // namespace launch
