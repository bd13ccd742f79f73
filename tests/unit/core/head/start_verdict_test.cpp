// SPDX-License-Identifier: MIT
#include "core/head/start_verdict.hpp"

#include <cerrno>
#include <gtest/gtest.h>

#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

using Stage = ExitStatus::Stage;
using Ranks = std::vector<uint32_t>;

/// Two ranks of the first program on n1 and n2, which starts in the job's folder, two of the second
/// on n3, which has one of its own; n4 has none.
Plan two_programs() {
    JobSpec spec;
    spec.programs = {{.argv = {"a"}, .ranks = 4}, {.argv = {"b"}, .ranks = 2, .wdir = "/data"}};
    spec.hosts = *parse_hosts("n[1-4]:2");
    spec.wdir = "/here";
    spec.allow_missing = true;  // hosts without ranks stay
    auto no_tree = [](const std::string&, uint32_t, NodeIndex, std::string*) {
        return Result<std::unique_ptr<Topology>>(std::unique_ptr<Topology>());
    };
    return std::move(*make_plan(std::move(spec), no_tree));
}

UnreadyMessage unready(NodeIndex node, uint32_t program, Stage stage) {
    return {node, {{program, {{ExitStatus::Kind::not_started, ENOENT, stage}, "why"}}}};
}

Ranks unable(const StartVerdict& verdict) {
    Ranks ranks;
    for (const auto& exit : verdict.unable)
        ranks.push_back(exit.rank);
    return ranks;
}

TEST(StartVerdict, without_complaints_ranks_start) {
    const auto verdict = judge_start(two_programs(), {});
    EXPECT_TRUE(verdict.unable.empty());
    EXPECT_FALSE(verdict.may_leave_wdir);
}

TEST(StartVerdict, a_folder_that_some_hosts_lack_keeps_their_ranks_from_starting) {
    const auto verdict = judge_start(two_programs(), {unready(2, 0, Stage::chdir)});
    EXPECT_EQ(unable(verdict), (Ranks{2, 3}));
    EXPECT_EQ(verdict.unable[0].status.stage, Stage::chdir);
    EXPECT_EQ(verdict.unable[0].detail, "why");
    EXPECT_FALSE(verdict.may_leave_wdir);
}

TEST(StartVerdict, a_folder_that_all_lack_that_would_use_it_is_left) {
    const auto verdict =
        judge_start(two_programs(), {unready(2, 0, Stage::chdir), unready(1, 0, Stage::chdir)});
    EXPECT_TRUE(verdict.unable.empty());
    EXPECT_TRUE(verdict.may_leave_wdir);
}

TEST(StartVerdict, a_folder_that_was_asked_for_is_never_left) {
    EXPECT_EQ(unable(judge_start(two_programs(), {unready(3, 1, Stage::chdir)})), (Ranks{4, 5}));
}

TEST(StartVerdict, hosts_without_ranks_of_the_program_may_lack_anything) {
    const auto verdict =
        judge_start(two_programs(), {unready(4, 0, Stage::chdir), unready(3, 0, Stage::exec),
                                     unready(1, 1, Stage::exec), unready(9, 0, Stage::exec)});
    EXPECT_TRUE(verdict.unable.empty());
    EXPECT_FALSE(verdict.may_leave_wdir);
}

TEST(StartVerdict, ranks_are_told_by_number_whatever_came_first) {
    const auto verdict =
        judge_start(two_programs(), {unready(3, 1, Stage::interpreter), unready(2, 0, Stage::chdir),
                                     unready(1, 0, Stage::exec)});
    EXPECT_EQ(unable(verdict), (Ranks{0, 1, 2, 3, 4, 5}));
}

TEST(StartVerdict, a_complaint_counts_once) {
    auto twice = unready(2, 0, Stage::chdir);
    twice.programs.push_back(twice.programs.front());
    const auto verdict = judge_start(two_programs(), {twice, twice});
    EXPECT_EQ(unable(verdict), (Ranks{2, 3}));
    EXPECT_FALSE(verdict.may_leave_wdir);
}

}  // namespace
}  // namespace launch
