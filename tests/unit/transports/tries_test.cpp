// SPDX-License-Identifier: MIT
#include "transports/tries.hpp"

#include <gtest/gtest.h>
#include <vector>

#include "tests/unit/core/harness/after.hpp"
#include "tests/unit/core/harness/cable.hpp"
#include "tests/unit/core/harness/simulated_run.hpp"

namespace launch {
namespace {

using std::chrono::seconds;

/// A host whose sshd answers in one way after the other, and from then on in the last one.
struct StartTries : testing::Test {
    StartTries() : tries(simulation.io.get_executor(), 256) {
        request.host.name = "n1";
        request.start_timeout = seconds{60};
        request.stop = stop.get_token();
    }

    /// Empty: it has started. Else the cause.
    std::string start() {
        simulation.run(started());
        return cause;
    }
    awaitable<void> started() {
        Tries::Once once = [this](const StartRequest&, Clock::time_point) { return answer(); };
        auto outcome = co_await tries.start(request, std::move(once));
        cause = outcome ? "" : outcome.error().host + ": " + outcome.error().cause;
    }
    awaitable<Try> answer() {
        const Retry how = asked < answers.size() ? answers[asked] : answers.back();
        ++asked;
        if (has_room && asked == answers.size())
            co_return Try{Cable::make(simulation.io.get_executor())->end(Cable::Side::a), {}};
        Error error;
        error.cause = "closed";
        co_return Try{nullptr, {std::move(error), how}};
    }

    SimulatedRun simulation;
    Tries tries;
    std::stop_source stop;
    StartRequest request;
    std::vector<Retry> answers{Retry::dropped, Retry::dropped, Retry::no};
    bool has_room = false;  ///< at the last answer it starts
    size_t asked = 0;
    std::string cause;
};

TEST_F(StartTries, go_on_while_another_may_help) {
    has_room = true;
    EXPECT_EQ(start(), "");
    EXPECT_EQ(asked, 3);
}

TEST_F(StartTries, end_where_another_cannot_help) {
    EXPECT_EQ(start(), "n1: closed; tried 3 times");
    EXPECT_EQ(asked, 3);
}

TEST_F(StartTries, end_before_the_limit_would_pass) {
    answers = {Retry::dropped};
    request.start_timeout = milliseconds{1};
    EXPECT_EQ(start(), "n1: closed");
}

TEST_F(StartTries, end_with_the_job) {
    answers = {Retry::dropped};
    TaskGroup group(simulation.io.get_executor());
    after(group, simulation.io.get_executor(), milliseconds{20}, [this] { stop.request_stop(); });
    EXPECT_EQ(start(), "n1: closed");
    EXPECT_LT(Clock::now() - SimulatedTime::beginning, milliseconds{30});
    simulation.run(group.join());
}

}  // namespace
}  // namespace launch
