// SPDX-License-Identifier: MIT
#include "modex/pmix/server/query_answers.hpp"

#include <gtest/gtest.h>

#include "tests/unit/modex/pmix/server/job_here.hpp"
#include "tests/unit/modex/pmix/server/quiet_events.hpp"

namespace launch {
namespace {

struct Answered {
    int count = 0;
    pmix_status_t status = PMIX_ERROR;
    std::vector<std::string> processes;  ///< in the tables
};

void read_table(const pmix_info_t& info, Answered& answered) {
    if (info.value.type != PMIX_DATA_ARRAY) return;
    const auto& array = *info.value.data.darray;
    const auto* const first = static_cast<const pmix_proc_info_t*>(array.array);
    for (size_t i = 0; i < array.size; ++i)
        answered.processes.push_back(std::to_string(first[i].proc.rank) + " " + first[i].hostname +
                                     " " + std::to_string(first[i].pid) + " " +
                                     first[i].executable_name);
}

void take(pmix_status_t status, pmix_info_t* infos, size_t count, void* cookie,
          pmix_release_cbfunc_t release, void* to_release) {
    auto* const answered = static_cast<Answered*>(cookie);
    ++answered->count;
    answered->status = status;
    for (size_t i = 0; i < count; ++i)
        read_table(infos[i], *answered);
    if (release != nullptr) release(to_release);
}

pmix_status_t ask(Answered& answered, std::string key = PMIX_QUERY_NAMESPACES) {
    char* keys[] = {key.data(), nullptr};
    pmix_query_t query{};
    query.keys = keys;
    return answer_queries(inboxes().all(), &query, 1, take, &answered);
}

TEST(QueryAnswers, the_end_of_another_job_keeps_nobody_waiting) {
    asio::io_context io;
    auto first = std::make_unique<JobHere>(io, "a");
    const JobHere second(io, "b");
    Answered answered;
    ASSERT_EQ(ask(answered), PMIX_SUCCESS);
    EXPECT_EQ(answered.count, 0);  // libpmix has not returned from its question yet
    first.reset();
    io.run();
    EXPECT_EQ(answered.count, 1);
    EXPECT_EQ(answered.status, PMIX_SUCCESS);
}

/// Keeps a question for a table open until the test answers it.
class Tables : public QuietEvents {
  public:
    void pmix_table(bool local, TableDone done) override {
        is_local = local;
        open = std::move(done);
    }

    bool is_local = false;
    TableDone open;
};

TEST(QueryAnswers, a_table_has_a_line_for_each_process) {
    asio::io_context io;
    Tables tables;
    const JobHere job(io, "a", {}, true, tables);
    Answered answered;
    ASSERT_EQ(ask(answered, PMIX_QUERY_LOCAL_PROC_TABLE), PMIX_SUCCESS);
    io.run();
    EXPECT_EQ(answered.count, 0);
    EXPECT_TRUE(tables.is_local);
    tables.open(std::vector<PmixProcess>{{3, 77, "h", "/bin/x"}, {5, 78, "h", "y"}});
    EXPECT_EQ(answered.count, 1);
    EXPECT_EQ(answered.status, PMIX_SUCCESS);
    EXPECT_EQ(answered.processes, (std::vector<std::string>{"3 h 77 /bin/x", "5 h 78 y"}));
}

TEST(QueryAnswers, a_table_that_nobody_has_is_not_found) {
    asio::io_context io;
    Tables tables;
    const JobHere job(io, "a", {}, true, tables);
    Answered answered;
    ASSERT_EQ(ask(answered, PMIX_QUERY_PROC_TABLE), PMIX_SUCCESS);
    io.run();
    EXPECT_FALSE(tables.is_local);
    tables.open(Error{});
    EXPECT_EQ(answered.count, 1);
    EXPECT_EQ(answered.status, PMIX_ERR_NOT_FOUND);
}

TEST(QueryAnswers, the_end_of_a_job_ends_the_wait_for_its_table) {
    asio::io_context io;
    Tables tables;
    auto first = std::make_unique<JobHere>(io, "a", std::vector<uint32_t>{}, true, tables);
    Answered answered;
    ASSERT_EQ(ask(answered, PMIX_QUERY_PROC_TABLE), PMIX_SUCCESS);
    io.run();
    const JobHere second(io, "b");
    first.reset();
    EXPECT_EQ(answered.count, 1);
    tables.open(std::vector<PmixProcess>{});  // too late
    EXPECT_EQ(answered.count, 1);
}

TEST(QueryAnswers, nothing_is_said_to_a_libpmix_that_ends) {
    asio::io_context io;
    auto only = std::make_unique<JobHere>(io, "a");
    Answered answered;
    ASSERT_EQ(ask(answered), PMIX_SUCCESS);
    only.reset();
    io.run();
    EXPECT_EQ(answered.count, 0);
}

}  // namespace
}  // namespace launch
