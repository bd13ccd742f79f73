// SPDX-License-Identifier: MIT
#include "modex/pmix/server/tools.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "modex/pmix/server/info_list.hpp"
#include "tests/unit/modex/pmix/server/job_here.hpp"

namespace launch {
namespace {

struct Admission {
    pmix_status_t status = PMIX_ERROR;
    std::string name;
};

Admission admit(InfoList& infos) {
    Admission admission;
    const auto answer = [](pmix_status_t status, pmix_proc_t* tool, void* cookie) {
        *static_cast<Admission*>(cookie) = {status, tool->nspace};
    };
    admit_tool(infos.data(), infos.size(), answer, &admission);
    return admission;
}

TEST(Tools, are_admitted_where_a_job_wants_them) {
    asio::io_context io;
    InfoList infos;
    infos.add_u32(PMIX_USERID, geteuid());
    EXPECT_EQ(admit(infos).status, PMIX_ERR_NOT_SUPPORTED);
    {
        const JobHere job(io, "job", {2, 3}, false);
        EXPECT_EQ(admit(infos).status, PMIX_ERR_NOT_SUPPORTED);
    }
    const JobHere job(io, "job", {2, 3}, true);
    const Admission first = admit(infos);
    EXPECT_EQ(first.status, PMIX_SUCCESS);
    EXPECT_TRUE(first.name.starts_with("job.tool.")) << first.name;
    const Admission second = admit(infos);
    EXPECT_NE(second.name, first.name);
    EXPECT_EQ(job_of_tool(make_proc(first.name, 0))->nspace(), "job");
    EXPECT_TRUE(tool_left(make_proc(first.name, 0)));
    EXPECT_FALSE(tool_left(make_proc(first.name, 0)));
    EXPECT_EQ(job_of_tool(make_proc(first.name, 0)), nullptr);
    EXPECT_EQ(job_of_tool(make_proc("job", 2)), nullptr);
    tools().remove(make_proc(second.name, 0));
}

TEST(Tools, of_other_users_are_refused) {
    asio::io_context io;
    const JobHere job(io, "job", {2, 3}, true);
    InfoList infos;
    infos.add_u32(PMIX_USERID, geteuid() + 1);
    EXPECT_EQ(admit(infos).status, PMIX_ERR_NO_PERMISSIONS);
    EXPECT_TRUE(tools().all().empty());
}

TEST(Tools, keep_the_names_that_they_have) {
    asio::io_context io;
    const JobHere job(io, "job", {2, 3}, true);
    InfoList infos;
    infos.add_string(PMIX_NSPACE, "debugger");
    infos.add_rank(PMIX_RANK, 0);
    EXPECT_EQ(admit(infos).name, "debugger");
    EXPECT_TRUE(tool_left(make_proc("debugger", 0)));
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
