// SPDX-License-Identifier: MIT
#include "core/head/report.hpp"

#include <cerrno>
#include <csignal>
#include <gtest/gtest.h>

#include "core/head/signals.hpp"
#include "tests/unit/golden.hpp"

namespace launch {
namespace {

using std::chrono::seconds;

using Lines = std::vector<std::string>;
using Kind = ExitStatus::Kind;

Plan plan_of(JobSpec spec) {
    auto no_tree = [](const std::string&, uint32_t, NodeIndex, std::string*) {
        return Result<std::unique_ptr<Topology>>(std::unique_ptr<Topology>());
    };
    return std::move(*make_plan(std::move(spec), no_tree));
}

/// Four hosts with two ranks each.
Plan four_hosts() {
    JobSpec spec;
    spec.programs = {{{"./app"}, 8, {}, ""}};
    for (const char* name : {"n1", "n2", "n3", "n4"})
        spec.hosts.push_back({"", name, 0, 2});
    return plan_of(std::move(spec));
}

Error refused(std::string host) {
    return {ErrorKind::unreachable, "connect",    std::move(host), -1,
            "connection refused",   "is sshd up?"};
}

/// Returns the subject of each line; a golden file has the rest.
Lines subjects(const Lines& lines) {
    Lines subjects;
    for (const auto& line : lines)
        subjects.push_back(line.substr(0, std::min(line.find(": "), line.find(" do"))));
    expect_told(subjects, lines);
    return subjects;
}

TEST(Report, hosts_are_folded_by_cause) {
    const std::vector<FailureMessage> failures{
        {3, false, {}, refused("n3")},
        {1, false, {}, refused("n1")},
        {2, true, {{3, 2}}, {ErrorKind::unreachable, "run", "n2", -1, "the connection ended", ""}},
        {4, false, {}, refused("n4")},
    };
    EXPECT_EQ(subjects(host_failure_lines(failures)), (Lines{"n[1,3-4]", "n2"}));
}

TEST(Report, hosts_that_others_could_not_start_are_told_with_these) {
    const auto from = [](const char* by, const char* host) {
        Error error = refused(host);
        error.from = by;
        return FailureMessage{1, false, {}, std::move(error)};
    };
    EXPECT_EQ(subjects(host_failure_lines({from("n1", "n2"), from("n9", "n10"), from("n1", "n3")})),
              (Lines{"n[2-3,10], from n[1,9]"}));
    // The cause is not that of the others where it is the same from here.
    EXPECT_EQ(subjects(host_failure_lines({from("n1", "n2"), from("", "n5")})), (Lines{"n[2,5]"}));
    std::vector<FailureMessage> many;
    for (int i = 1; i < 100; i += 2)
        many.push_back(from(("n" + std::to_string(i)).c_str(), "m"));
    EXPECT_EQ(subjects(host_failure_lines(many)), (Lines{"m, from several hosts"}));
    EXPECT_EQ(subjects({describe(from("n1", "n2").error)}), Lines{"n2, from n1"});
}

TEST(Report, the_first_rank_to_fail_is_named) {
    const Plan plan = four_hosts();
    JobRecord record(plan);
    for (NodeIndex node = 1; node <= 4; ++node)
        record.node_up(node);
    EXPECT_FALSE(record.rank_ended({0, {}}));
    EXPECT_TRUE(record.rank_ended({5, {Kind::exited, 7, {}}}));
    record.ending(seconds{5});
    EXPECT_FALSE(record.rank_ended({6, {Kind::signalled, SIGTERM, {}}}));
    EXPECT_FALSE(record.rank_ended({7, {Kind::signalled, SIGTERM, {}}}));
    EXPECT_EQ(subjects(rank_failure_lines(record, plan.spec)), (Lines{"rank 5 on n3"}));
}

TEST(Report, ranks_that_fail_in_the_same_moment_are_told_of) {
    const Plan plan = four_hosts();
    JobRecord record(plan);
    for (NodeIndex node = 1; node <= 4; ++node)
        record.node_up(node);
    EXPECT_TRUE(record.rank_ended({2, {Kind::exited, 3, {}}, {}}));
    record.ending(seconds{5});
    for (const uint32_t rank : {0u, 1u, 4u})
        EXPECT_FALSE(record.rank_ended({rank, {Kind::exited, 3, {}}, {}}));
    record.rank_ended({3, {Kind::signalled, SIGABRT, {}}, {}});
    record.rank_ended({5, {Kind::exited, 0, {}}, {}});
    record.rank_ended({6, {Kind::signalled, SIGTERM, {}}, {}});
    record.killing();
    record.rank_ended({7, {Kind::signalled, SIGKILL, {}}, {}});
    EXPECT_EQ(subjects(rank_failure_lines(record, plan.spec)), (Lines{"rank 2 on n2"}));
}

TEST(Report, ranks_that_others_killed_are_not_said_to_be_killed_by_launch) {
    const Plan plan = four_hosts();
    JobRecord record(plan);
    for (NodeIndex node = 1; node <= 4; ++node)
        record.node_up(node);
    EXPECT_TRUE(record.rank_ended({1, {Kind::signalled, SIGKILL, {}}, {}}));
    record.ending(seconds{5});
    record.rank_ended({0, {Kind::signalled, SIGKILL, {}}, {}});
    record.rank_ended({2, {Kind::signalled, SIGTERM, {}}, {}});
    EXPECT_EQ(subjects(rank_failure_lines(record, plan.spec)), (Lines{"rank 1 on n1"}));
}

/// A rank of MPI aborts when it loses another, and its report may be the first.
TEST(JobRecord, rank_that_a_signal_ended_has_failed_though_another_aborted_before) {
    const Plan plan = four_hosts();
    JobRecord record(plan);
    for (NodeIndex node = 1; node <= 4; ++node)
        record.node_up(node);
    record.aborted(2);
    record.ending(seconds{5});
    EXPECT_FALSE(record.rank_ended({2, {Kind::signalled, SIGSEGV, {}}}));  // the one that aborted
    EXPECT_FALSE(record.rank_ended({3, {Kind::signalled, SIGTERM, {}}}));
    EXPECT_FALSE(record.rank_ended({4, {Kind::signalled, SIGABRT, {}}}));
    EXPECT_FALSE(record.rank_ended({5, {Kind::exited, 15, {}}}));
    EXPECT_TRUE(record.rank_ended({1, {Kind::signalled, SIGKILL, {}}}));
    ASSERT_EQ(record.failed_ranks().size(), 1U);
    EXPECT_EQ(record.failed_ranks().front().rank, 1U);
    record.killing();
    EXPECT_FALSE(record.rank_ended({6, {Kind::signalled, SIGKILL, {}}}));
    EXPECT_EQ(record.failed_ranks().size(), 1U);
}

TEST(Report, ranks_that_had_to_be_killed_are_told_of) {
    const Plan plan = four_hosts();
    JobRecord record(plan);
    for (NodeIndex node = 1; node <= 4; ++node)
        record.node_up(node);
    EXPECT_TRUE(record.rank_ended({0, {Kind::exited, 1, {}}, {}}));
    EXPECT_TRUE(record.rank_ended({1, {Kind::exited, 1, {}}, {}}));  // ranks were left alone
    record.ending(seconds{5});
    record.killing();
    EXPECT_EQ(killed_ranks_line(record), "");
    for (const uint32_t rank : {2u, 3u, 6u})
        EXPECT_FALSE(record.rank_ended({rank, {Kind::signalled, SIGKILL, {}}, {}}));
    EXPECT_EQ(subjects({killed_ranks_line(record)}), Lines{"ranks 2,3,6 on n[2,4]"});
    EXPECT_EQ(subjects(rank_failure_lines(record, plan.spec)), (Lines{"ranks 0,1 on n1"}));
}

TEST(Report, a_folder_that_cannot_be_entered_is_named) {
    JobSpec spec;
    spec.programs = {{{"./a"}, 1, {}, "/data"}, {{"./b"}, 2, {}, ""}};
    spec.hosts = {{"", "n1", 0, 1}, {"", "n2", 0, 2}};
    spec.wdir = "/here";
    const Plan plan = plan_of(std::move(spec));
    JobRecord record(plan);
    for (const uint32_t rank : {0u, 1u, 2u})
        record.rank_ended({rank, {Kind::not_started, ENOENT, ExitStatus::Stage::chdir}, {}});
    EXPECT_EQ(subjects(rank_failure_lines(record, plan.spec)),
              (Lines{"rank 0 on n1", "ranks 1,2 on n2"}));
}

TEST(Report, ranks_that_cannot_be_started_are_told_of_in_one_message) {
    const Plan plan = four_hosts();
    JobRecord record(plan);
    for (NodeIndex node = 1; node <= 4; ++node)
        record.node_up(node);
    record.start_ranks();
    const ExitStatus missing{Kind::not_started, ENOENT, ExitStatus::Stage::exec};
    const ExitStatus script{Kind::not_started, ENOENT, ExitStatus::Stage::interpreter};
    EXPECT_TRUE(record.rank_ended({2, missing, {}}));
    record.ending(seconds{5});
    for (const uint32_t rank : {0u, 1u, 3u})
        record.rank_ended({rank, missing, {}});
    record.rank_ended({4, script, "its interpreter /x: gone"});
    record.rank_ended({5, {Kind::exited, 1}, {}});
    record.rank_ended({6, {Kind::signalled, SIGTERM}, {}});
    record.rank_ended({7, {Kind::signalled, SIGTERM}, {}});
    EXPECT_EQ(subjects(rank_failure_lines(record, plan.spec)),
              (Lines{"ranks 0-3 on n[1-2]", "rank 4 on n3"}));
}

TEST(Report, many_ranks_that_fail_in_the_same_moment_are_counted) {
    JobSpec spec;
    spec.programs = {{{"./app"}, 101, {}, ""}};
    spec.hosts = {{"", "n1", 0, 101}};
    const Plan plan = plan_of(std::move(spec));
    JobRecord record(plan);
    record.node_up(1);
    record.rank_ended({0, {Kind::exited, 3, {}}, {}});
    record.ending(seconds{5});
    for (uint32_t rank = 2; rank <= 100; rank += 2)
        record.rank_ended({rank, {Kind::exited, 3, {}}, {}});
    EXPECT_EQ(subjects(rank_failure_lines(record, plan.spec)), (Lines{"rank 0 on n1"}));
}

TEST(Report, keep_going_tells_of_all) {
    const Plan plan = four_hosts();
    JobRecord record(plan);
    for (NodeIndex node = 1; node <= 4; ++node)
        record.node_up(node);
    for (const uint32_t rank : {0u, 1u, 2u, 7u})
        record.rank_ended({rank, {Kind::exited, 1, {}}});
    record.rank_ended({3, {Kind::signalled, SIGSEGV, {}}});
    record.rank_ended({4, {Kind::not_started, 2, ExitStatus::Stage::exec}});
    EXPECT_EQ(subjects(rank_failure_lines(record, plan.spec)),
              (Lines{"ranks 0-2,7 on n[1-2,4]", "rank 3 on n2", "rank 4 on n3"}));
}

TEST(Report, a_program_is_to_be_staged_only_where_it_was_not_and_there_are_hosts) {
    struct Case {
        bool hosts;
        bool staged;
        int error;
        bool hint;
        const char* transport = "ssh";
    };
    for (const Case& c : {Case{true, false, ENOENT, true}, Case{true, true, ENOENT, false},
                          Case{true, false, EACCES, false}, Case{false, false, ENOENT, false},
                          Case{true, false, ENOENT, false, "local"}}) {
        JobSpec spec;
        spec.programs = {{{"./app"}, 1, {}, ""}};
        if (c.hosts) spec.hosts = {{"", "n1", 0, 1}};
        if (c.staged) spec.programs[0].staged = 0;
        spec.transport.name = c.transport;
        const Plan plan = plan_of(std::move(spec));
        JobRecord record(plan);
        record.node_up(1);
        record.rank_ended({0, {Kind::not_started, c.error, ExitStatus::Stage::exec}, {}});
        const auto lines = rank_failure_lines(record, plan.spec);
        ASSERT_EQ(lines.size(), 1u);
        EXPECT_EQ(lines[0].find("--stage-program") != std::string::npos, c.hint) << lines[0];
    }
}

TEST(Report, says_where_a_program_was_looked_for) {
    struct {
        const char* program;
        bool hosts;
        const char* line;
        int error = ENOENT;
    } rows[] = {
        {"app", false, "rank 0 on localhost"},
        {"./app", false, "rank 0 on localhost"},
        {"app", true, "rank 0 on n1"},
        {"uptime; hostname", false, "rank 0 on localhost"},
        {"cd /tmp && ls", true, "rank 0 on n1"},
        {"id>out", true, "rank 0 on n1"},
        {"exit 1 2", true, "rank 0 on n1", ENAMETOOLONG},
        {"id;", true, "rank 0 on n1", EACCES},
    };
    for (const auto& row : rows) {
        JobSpec spec;
        spec.programs = {{{row.program}, 1, {}, ""}};
        if (row.hosts) spec.hosts = {{"", "n1", 0, 1}};
        const Plan plan = plan_of(std::move(spec));
        JobRecord record(plan);
        record.node_up(1);
        record.rank_ended({0, {Kind::not_started, row.error, ExitStatus::Stage::exec}, {}});
        EXPECT_EQ(subjects(rank_failure_lines(record, plan.spec)), Lines{row.line});
    }
}

TEST(Report, ranks_that_nothing_ends_are_folded_by_what_they_wait_for) {
    const Plan plan = four_hosts();
    JobRecord record(plan);
    for (NodeIndex node = 1; node <= 4; ++node)
        record.node_up(node);
    record.start_ranks();
    record.ending(seconds{5});
    const std::string waits = "in uninterruptible sleep (state D, wchan rpc_wait)";
    EXPECT_FALSE(record.rank_ended({1, {Kind::stuck, 71, {}}, waits}));
    EXPECT_FALSE(record.rank_ended({5, {Kind::stuck, 75, {}}, waits}));
    EXPECT_FALSE(record.rank_ended({3, {Kind::stuck, 73, {}}, "still there (state R)"}));
    EXPECT_EQ(record.running(), 5u);
    EXPECT_EQ(subjects(stuck_rank_lines(record)),
              (Lines{"ranks 1,5 on n[1,3]", "rank 3 (pid 73) on n2"}));
    EXPECT_EQ(subjects(rank_failure_lines(record, plan.spec)), Lines{});
}

TEST(JobRecord, a_lost_host_takes_its_ranks_and_the_hosts_below_it) {
    const Plan plan = four_hosts();
    JobRecord record(plan);
    record.node_up(1);
    record.node_up(2);
    EXPECT_EQ(record.running(), 0u);
    record.start_ranks();
    EXPECT_EQ(record.running(), 4u);
    EXPECT_FALSE(record.all_known());
    record.host_failed({2, true, {{3, 2}}, refused("n2")});
    EXPECT_EQ(record.running(), 2u);
    EXPECT_TRUE(record.all_known());
    record.rank_ended({0, {}});
    record.rank_ended({0, {}});
    EXPECT_FALSE(record.all_ended());
    record.rank_ended({1, {}});
    EXPECT_TRUE(record.all_ended());
    EXPECT_EQ(record.running(), 0u);
}

TEST(JobRecord, nonsense_from_a_relay_changes_nothing) {
    const Plan plan = four_hosts();
    JobRecord record(plan);
    record.node_up(0);
    record.node_up(99);
    record.host_failed({77, false, {}, refused("x")});
    EXPECT_FALSE(record.rank_ended({1000, {Kind::exited, 1, {}}}));
    EXPECT_EQ(record.hosts_up(), 0u);
    EXPECT_EQ(record.missing_nodes().size(), 4u);
}

TEST(FoldRanks, folds) {
    EXPECT_EQ(fold_ranks({3}), "rank 3");
    EXPECT_EQ(fold_ranks({3, 1, 2, 9, 10}), "ranks 1-3,9,10");
}

TEST(SignalPolicy, tells_a_second_key_press_from_one_delivered_twice) {
    using Action = SignalPolicy::Action;
    SignalPolicy policy;
    auto now = std::chrono::steady_clock::now();
    EXPECT_EQ(policy.decide(SIGINT, now), Action::forward);
    EXPECT_EQ(policy.decide(SIGINT, now + std::chrono::milliseconds{5}), Action::ignore);
    EXPECT_EQ(policy.decide(SIGUSR1, now + std::chrono::milliseconds{200}), Action::forward);
    EXPECT_EQ(policy.decide(SIGINT, now + std::chrono::milliseconds{400}), Action::kill);
    EXPECT_EQ(policy.decide(SIGTERM, now + std::chrono::seconds{1}), Action::forward_and_end);
    EXPECT_EQ(policy.decide(SIGTSTP, now + std::chrono::seconds{2}), Action::stop);
}

TEST(SignalAnswers, tell_what_a_rank_fails_of_from_what_it_was_sent) {
    using Time = SignalAnswers::Time;
    const Time now{std::chrono::hours{1}};
    const Time minute = now + std::chrono::seconds{60};
    const Time half_an_hour = now + std::chrono::minutes{30};
    const ExitStatus code{Kind::exited, 3};
    const ExitStatus crash{Kind::signalled, SIGSEGV};
    struct Case {
        int sent;
        ExitStatus failed;
        Time spared_until;
    };
    for (const auto& c : {
             Case{SIGINT, code, half_an_hour},
             Case{SIGINT, crash, half_an_hour},
             Case{SIGQUIT, code, minute},
             Case{SIGQUIT, {Kind::signalled, SIGQUIT}, minute},
             Case{SIGQUIT, crash, Time::min()},
             Case{SIGUSR1, code, minute},
             Case{SIGUSR2, {Kind::signalled, SIGUSR2}, minute},
             Case{SIGUSR2, {Kind::signalled, SIGUSR1}, Time::min()},
             Case{SIGUSR1, crash, Time::min()},
             Case{SIGUSR1, {Kind::not_started, 2, ExitStatus::Stage::exec}, Time::min()},
             Case{SIGCONT, code, Time::min()},
             Case{SIGTSTP, {Kind::signalled, SIGTSTP}, Time::min()},
             Case{SIGTERM, code, Time::min()},
         }) {
        SignalAnswers answers;
        EXPECT_EQ(answers.spared_until(c.failed), Time::min());
        answers.sent(c.sent, now);
        EXPECT_EQ(answers.spared_until(c.failed), c.spared_until)
            << c.sent << " " << c.failed.value;
        EXPECT_EQ(answers.interrupted_until(), c.sent == SIGINT ? half_an_hour : Time::min());
    }
}

TEST(SignalAnswers, come_in_the_time_of_the_signal_that_gives_more) {
    const SignalAnswers::Time now{std::chrono::hours{1}};
    const ExitStatus code{Kind::exited, 3};
    SignalAnswers answers;
    answers.sent(SIGINT, now);
    const auto until = answers.spared_until(code);
    answers.sent(SIGQUIT, now + std::chrono::seconds{1});
    EXPECT_EQ(answers.spared_until(code), until);
    const auto late = until + std::chrono::hours{1};
    answers.sent(SIGUSR1, late);
    EXPECT_EQ(answers.spared_until(code), late + std::chrono::seconds{60});
}

TEST(Report, a_file_of_output_that_cannot_be_written_is_told_with_its_host) {
    Plan plan;
    plan.hosts = {{"", "n1", 0, 1}, {"", "n2", 0, 1}};
    plan.placement = *place({.slots = {1, 1}, .ranks = 2});
    const FaultMessage fault{1, FaultMessage::Kind::no_file, 0, "write /o/1: No space left", "try"};
    const Error error = fault_error(fault, JobRecord(plan));
    EXPECT_EQ(error.kind, ErrorKind::output);
    EXPECT_EQ(subjects({describe(error)}), Lines{"n2"});
}

/// A report is believed by its envelope alone.
TEST(Report, a_fault_of_a_rank_that_there_is_not_names_no_host) {
    const Plan plan = four_hosts();
    const JobRecord record(plan);
    for (const uint32_t rank : {8U, 1000U, UINT32_MAX}) {
        const std::string name = "rank " + std::to_string(rank);
        const FaultMessage fault{rank, FaultMessage::Kind::protocol, 0, "what is that", {}};
        EXPECT_EQ(describe(fault_error(fault, record)), name + ": what is that");
        const FaultMessage file{rank, FaultMessage::Kind::no_file, 0, "write /o: full", {}};
        EXPECT_EQ(describe(fault_error(file, record)), "write /o: full");
    }
    const FaultMessage last{7, FaultMessage::Kind::protocol, 0, "what is that", {}};
    EXPECT_EQ(subjects({describe(fault_error(last, record))}), Lines{"rank 7 on n4"});
}

TEST(Report, a_notice_is_of_the_host_that_the_tree_names_or_of_the_plans) {
    const Plan plan = four_hosts();
    NoticeMessage notice;
    notice.node = 2;
    EXPECT_EQ(host_of(notice, plan), "n2");
    notice.host = "joined";
    EXPECT_EQ(host_of(notice, plan), "joined");
    EXPECT_EQ(host_of(NoticeMessage{}, plan), "");
}

}  // namespace
}  // namespace launch
