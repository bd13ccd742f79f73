// SPDX-License-Identifier: MIT
#include "modex/pmix/server/tools.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "modex/pmix/server/info_list.hpp"
#include "tests/unit/modex/pmix/server/job_here.hpp"

namespace launch {
namespace {

struct Admission {
    bool answered = false;
    pmix_status_t status = PMIX_ERROR;
    std::string name;
};

Admission admit(InfoList& infos) {
    Admission admission;
    const auto answer = [](pmix_status_t status, pmix_proc_t* tool, void* cookie) {
        *static_cast<Admission*>(cookie) = {true, status, tool->nspace};
    };
    admit_tool(infos.data(), infos.size(), answer, &admission);
    return admission;
}

TEST(Tools, of_this_user_get_names_and_act_for_the_only_job_that_wants_tools) {
    asio::io_context io;
    const JobHere other(io, "other", {1}, false);
    auto job = std::make_unique<JobHere>(io, "job", std::vector<uint32_t>{2, 3}, true);
    InfoList infos;
    infos.add_u32(PMIX_USERID, geteuid());
    const Admission first = admit(infos);
    EXPECT_EQ(first.status, PMIX_SUCCESS);
    EXPECT_TRUE(first.name.starts_with("launch.tool.")) << first.name;
    const Admission second = admit(infos);
    EXPECT_NE(second.name, first.name);
    const pmix_proc_t tool = make_proc(first.name, 0);
    EXPECT_EQ(job_of_tool(tool)->nspace(), "job");
    EXPECT_EQ(job_of_tool(make_proc("job", 2)), nullptr);
    {
        const JobHere one_more(io, "one more", {0}, true);
        EXPECT_EQ(job_of_tool(tool), nullptr);
    }
    job.reset();
    EXPECT_EQ(job_of_tool(tool), nullptr);
    EXPECT_TRUE(tool_left(tool));
    EXPECT_FALSE(tool_left(tool));
    EXPECT_TRUE(tool_left(make_proc(second.name, 0)));
}

TEST(Tools, of_others_get_no_answer) {
    asio::io_context io;
    const JobHere job(io, "job", {2, 3}, true);
    InfoList nobody;
    EXPECT_FALSE(admit(nobody).answered);
    InfoList other;
    other.add_u32(PMIX_USERID, geteuid());  // the tool's word
    other.add_u32(PMIX_USERID, geteuid() + 1);
    EXPECT_FALSE(admit(other).answered);
    EXPECT_TRUE(tools().all().empty());
}

TEST(Tools, keep_the_names_that_they_have) {
    asio::io_context io;
    const JobHere job(io, "job", {2, 3}, true);
    InfoList infos;
    infos.add_string(PMIX_NSPACE, "debugger");
    infos.add_rank(PMIX_RANK, 0);
    infos.add_u32(PMIX_USERID, geteuid());
    EXPECT_EQ(admit(infos).name, "debugger");
    EXPECT_TRUE(tool_left(make_proc("debugger", 0)));
}

/// Its end is not that of the rank.
TEST(Tools, that_a_rank_has_started_are_no_tools_of_their_own) {
    asio::io_context io;
    const JobHere job(io, "job", {2, 3}, true);
    InfoList infos;
    infos.add_string(PMIX_NSPACE, "job");
    infos.add_rank(PMIX_RANK, 2);
    infos.add_u32(PMIX_USERID, geteuid());
    EXPECT_EQ(admit(infos).status, PMIX_SUCCESS);
    EXPECT_FALSE(tool_left(make_proc("job", 2)));
}

TEST(Tools, read_along_with_ranks_of_this_host) {
    asio::io_context io;
    const auto pull = [](uint32_t rank, pmix_iof_channel_t channels, const char* nspace = "job") {
        const pmix_proc_t proc = make_proc(nspace, rank);
        return pull_output(&proc, 1, nullptr, 0, channels, nullptr, nullptr);
    };
    {
        const JobHere job(io, "job", {2, 3}, false);
        EXPECT_EQ(pull(2, PMIX_FWD_STDOUT_CHANNEL), PMIX_ERR_NOT_FOUND);
    }
    const JobHere job(io, "job", {2, 3}, true);
    EXPECT_EQ(pull(2, PMIX_FWD_STDOUT_CHANNEL), PMIX_OPERATION_SUCCEEDED);
    EXPECT_EQ(pull(PMIX_RANK_WILDCARD, PMIX_FWD_STDERR_CHANNEL), PMIX_OPERATION_SUCCEEDED);
    EXPECT_EQ(pull(4, PMIX_FWD_STDOUT_CHANNEL), PMIX_ERR_NOT_FOUND);
    EXPECT_EQ(pull(2, PMIX_FWD_STDOUT_CHANNEL, "other"), PMIX_ERR_NOT_FOUND);
    EXPECT_EQ(pull(2, PMIX_FWD_STDIN_CHANNEL), PMIX_ERR_NOT_SUPPORTED);
}

}  // namespace
}  // namespace launch
