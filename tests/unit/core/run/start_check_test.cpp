// SPDX-License-Identifier: MIT
#include "core/run/start_check.hpp"

#include <gtest/gtest.h>

#include "tests/unit/golden.hpp"

namespace launch {
namespace {

JobMessage job_of(const std::vector<std::vector<std::string>>& programs) {
    JobMessage job;
    job.wdir = "/";
    job.env = {"PATH=/bin"};
    for (const auto& argv : programs) {
        job.programs.push_back({argv, 1, {}, {}, {}});
        ++job.ranks;
    }
    return job;
}

std::vector<uint32_t> unready(const JobMessage& job, const std::vector<RankRun>& runs) {
    StartCheck check(job, runs);
    check.run();
    std::vector<uint32_t> programs;
    for (const auto& program : check.unready())
        programs.push_back(program.index);
    return programs;
}

TEST(StartCheck, looks_at_the_programs_that_have_ranks_here) {
    auto job = job_of({{"sh"}, {"/no/such"}, {"nothing-of-that-name"}});
    EXPECT_EQ(unready(job, {{0, 3, 1}}), (std::vector<uint32_t>{1, 2}));
    EXPECT_EQ(unready(job, {{0, 2, 2}}), (std::vector<uint32_t>{2}));
    EXPECT_EQ(unready(job, {{0, 1, 1}}), (std::vector<uint32_t>{}));
    job.programs[1].staged = 0;  // it is not here yet
    EXPECT_EQ(unready(job, {{0, 3, 1}}), (std::vector<uint32_t>{2}));
    job.ranks = 0;  // not placed yet
    EXPECT_EQ(unready(job, {}), (std::vector<uint32_t>{2}));
}

TEST(StartCheck, says_where_it_has_found_them) {
    auto job = job_of({{"sh"}, {"nothing-of-that-name"}, {"bin/sh"}, {"/bin/sh"}, {"sh"}, {"sh"}});
    job.env = {"PATH=/no/such:/bin"};
    job.programs[5].staged = 0;
    StartCheck check(job, {{0, 4, 1}, {5, 1, 1}});
    check.run();
    EXPECT_EQ(check.found(), (std::vector<std::string>{"/bin/sh", "", "", "/bin/sh", "", ""}));
}

TEST(StartCheck, says_where_there_is_no_answer) {
    const auto job = job_of({{"sh"}, {"bin/no-such"}});
    StartCheck check(job, {{0, 2, 1}});
    check.run();  // as far as it came
    const auto unanswered = check.unanswered(milliseconds{1500});
    EXPECT_EQ(unanswered.index, 1u);
    expect_told({"/bin/no-such", "1.5 s"}, unanswered.why.detail);
    EXPECT_FALSE(lacks_job_folder(job.programs, unanswered));
}

}  // namespace
}  // namespace launch
