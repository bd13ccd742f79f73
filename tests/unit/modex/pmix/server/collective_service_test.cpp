// SPDX-License-Identifier: MIT
#include "modex/pmix/server/collective_service.hpp"

#include <gtest/gtest.h>
#include <vector>

#include "modex/pmix/server/inboxes.hpp"
#include "modex/pmix/server/info_list.hpp"
#include "tests/unit/modex/pmix/server/quiet_events.hpp"

namespace launch {
namespace {

/// The exchange of a job, as far as collectives ask it. It answers none by itself.
class OpenCollectives : public QuietEvents {
  public:
    void pmix_collective(PmixCollective, CollectiveDone done) override {
        open.push_back(std::move(done));
    }

    std::vector<CollectiveDone> open;
};

/// Two jobs of this process, each with a rank 0 here. Ranks of both join what is asked, in the name
/// of the first.
class CollectiveService : public testing::Test {
  protected:
    std::shared_ptr<Inbox> add(const char* nspace) {
        auto inbox = std::make_shared<Inbox>(io_.get_executor(), nullptr, nspace,
                                             std::vector<uint32_t>{0}, exchange_);
        inboxes().add(inbox);
        return inbox;
    }
    void TearDown() override {
        end(first_);
        end(second_);
    }
    static void end(std::shared_ptr<Inbox>& inbox) {
        if (inbox == nullptr) return;
        inboxes().remove(*inbox);
        inbox->close();
        inbox.reset();
    }

    /// Each of the questions that libpmix asks, once.
    void ask_all() {
        const pmix_proc_t both[] = {make_proc("a", 0), make_proc("b", 0)};
        const auto op = [](pmix_status_t status, void* cookie) {
            static_cast<CollectiveService*>(cookie)->answers_.push_back(status);
        };
        const auto data = [](pmix_status_t status, const char*, size_t, void* cookie,
                             pmix_release_cbfunc_t, void*) {
            static_cast<CollectiveService*>(cookie)->answers_.push_back(status);
        };
        const auto info = [](pmix_status_t status, pmix_info_t*, size_t, void* cookie,
                             pmix_release_cbfunc_t, void*) {
            static_cast<CollectiveService*>(cookie)->answers_.push_back(status);
        };
        EXPECT_EQ(connect_members(both, 2, nullptr, 0, op, this), PMIX_SUCCESS);
        EXPECT_EQ(disconnect_members(both, 2, nullptr, 0, op, this), PMIX_SUCCESS);
        EXPECT_EQ(fence_members(both, 2, nullptr, 0, "", data, this), PMIX_SUCCESS);
        EXPECT_EQ(group_members(PMIX_GROUP_CONSTRUCT, "g", both, 2, nullptr, 0, info, this),
                  PMIX_SUCCESS);
    }
    void run() {
        io_.restart();
        io_.run();
    }
    void expect_errors(size_t count) const {
        EXPECT_EQ(answers_.size(), count);
        for (const auto status : answers_)
            EXPECT_NE(status, PMIX_SUCCESS);
    }

    asio::io_context io_;
    OpenCollectives exchange_;
    std::shared_ptr<Inbox> first_ = add("a");
    std::shared_ptr<Inbox> second_ = add("b");
    std::vector<pmix_status_t> answers_;
};

TEST_F(CollectiveService, the_end_of_the_asking_job_keeps_no_other_job_waiting) {
    ask_all();
    run();
    EXPECT_EQ(exchange_.open.size(), 4u);
    EXPECT_TRUE(answers_.empty());
    end(first_);
    expect_errors(4);
    for (const auto& late : exchange_.open)
        late(CollectiveResult{});
    expect_errors(4);
}

TEST_F(CollectiveService, a_job_that_ends_before_it_has_asked_keeps_no_other_job_waiting) {
    ask_all();
    end(first_);
    run();
    EXPECT_TRUE(exchange_.open.empty());
    expect_errors(4);
}

TEST_F(CollectiveService, the_answer_of_the_exchange_is_the_only_one) {
    ask_all();
    run();
    const Error gone{.kind = ErrorKind::protocol, .cause = "a member has gone"};
    for (const auto& done : exchange_.open)
        done(gone);
    end(first_);
    expect_errors(4);
}

/// libpmix 5.0 asks twice otherwise, and answers of both end the process.
TEST_F(CollectiveService, the_end_of_a_group_of_one_node_is_answered_at_once) {
    const pmix_proc_t both[] = {make_proc("a", 0), make_proc("b", 0)};
    const auto no_answer = [](pmix_status_t, pmix_info_t*, size_t, void*, pmix_release_cbfunc_t,
                              void*) { ADD_FAILURE() << "a second answer"; };
    InfoList local;
    local.add_flag(PMIX_GROUP_LOCAL_ONLY, true);
    EXPECT_EQ(group_members(PMIX_GROUP_DESTRUCT, "g", both, 2, local.data(), local.size(),
                            no_answer, nullptr),
              PMIX_OPERATION_SUCCEEDED);
    run();
    ASSERT_EQ(exchange_.open.size(), 1u) << "the jobs part";
    exchange_.open.front()(CollectiveResult{});
}

TEST_F(CollectiveService, the_end_of_the_last_job_answers_nothing) {
    ask_all();
    run();
    end(second_);
    end(first_);
    EXPECT_TRUE(answers_.empty());
}

}  // namespace
}  // namespace launch
