// SPDX-License-Identifier: MIT
#include "modex/pmix/server/query_answers.hpp"

#include <gtest/gtest.h>

#include "modex/pmix/server/inboxes.hpp"

namespace launch {
namespace {

/// A job of this process, as long as it lives.
class Job {
  public:
    Job(asio::io_context& io, const char* nspace)
        : inbox_(std::make_shared<Inbox>(io.get_executor(), nullptr, nspace,
                                         std::vector<uint32_t>{}, nobody())) {
        inboxes().add(inbox_);
    }
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;
    ~Job() {
        inboxes().remove(*inbox_);
        inbox_->close();
    }

  private:
    /// Never called: a query concerns no job alone.
    static PmixEvents& nobody() {
        alignas(PmixEvents) static char storage[sizeof(PmixEvents)];
        return reinterpret_cast<PmixEvents&>(storage);
    }

    std::shared_ptr<Inbox> inbox_;
};

struct Answered {
    int count = 0;
    pmix_status_t status = PMIX_ERROR;
};

void take(pmix_status_t status, pmix_info_t*, size_t, void* cookie, pmix_release_cbfunc_t release,
          void* to_release) {
    auto* const answered = static_cast<Answered*>(cookie);
    ++answered->count;
    answered->status = status;
    release(to_release);
}

pmix_status_t ask(Answered& answered) {
    std::string key = PMIX_QUERY_NAMESPACES;
    char* keys[] = {key.data(), nullptr};
    pmix_query_t query{};
    query.keys = keys;
    return answer_queries(inboxes().all(), &query, 1, take, &answered);
}

TEST(QueryAnswers, the_end_of_another_job_keeps_nobody_waiting) {
    asio::io_context io;
    auto first = std::make_unique<Job>(io, "a");
    const Job second(io, "b");
    Answered answered;
    ASSERT_EQ(ask(answered), PMIX_SUCCESS);
    EXPECT_EQ(answered.count, 0);  // libpmix has not returned from its question yet
    first.reset();
    io.run();
    EXPECT_EQ(answered.count, 1);
    EXPECT_EQ(answered.status, PMIX_SUCCESS);
}

TEST(QueryAnswers, nothing_is_said_to_a_libpmix_that_ends) {
    asio::io_context io;
    auto only = std::make_unique<Job>(io, "a");
    Answered answered;
    ASSERT_EQ(ask(answered), PMIX_SUCCESS);
    only.reset();
    io.run();
    EXPECT_EQ(answered.count, 0);
}

}  // namespace
}  // namespace launch
