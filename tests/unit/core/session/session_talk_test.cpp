// SPDX-License-Identifier: MIT
#include "core/session/session_talk.hpp"

#include <gtest/gtest.h>

#include "core/async/run.hpp"
#include "core/async/task_group.hpp"
#include "core/base/build_id.hpp"
#include "core/session/session_ground.hpp"
#include "core/wire/messages.hpp"
#include "tests/unit/core/harness/cable.hpp"
#include "tests/unit/core/harness/framed.hpp"
#include "tests/unit/core/harness/simulated_run.hpp"

namespace launch {
namespace {

using std::chrono::seconds;

std::string hello(const std::string& build_id) {
    return framed(FrameType::hello, Hello{Hello::current_version, build_id}.encode());
}

std::string some_state() {
    SessionState state;
    state.name = "s";
    state.waiting = 3;
    return framed(FrameType::session_state, state.encode());
}

/// A client, and a session that a test plays itself.
struct ASessionTalk : testing::Test {
    SimulatedRun simulation{1};
    any_io_executor executor = simulation.io.get_executor();
    TaskGroup tasks{executor};
    std::shared_ptr<Cable> cable = Cable::make(executor, true);
    std::unique_ptr<ByteStream> session = cable->end(Cable::Side::b);
    std::stop_source stop;
    SessionTalk talk{executor, {"s", 7}, cable->end(Cable::Side::a), stop.get_token()};

    ~ASessionTalk() override { EXPECT_TRUE(simulation.run(tasks.join(), seconds{100})); }

    awaitable<void> write(std::string bytes) {
        for (std::span<const char> rest(bytes); !rest.empty();) {
            const size_t n = co_await session->write_some(rest);
            if (n == 0) co_return;
            rest = rest.subspan(n);
        }
    }
    static awaitable<Result<SessionTalk>> made(SessionTalk talk) { co_return std::move(talk); }
    void session_says(std::string bytes) { tasks.spawn(write(std::move(bytes))); }
};

TEST_F(ASessionTalk, begins_with_the_state_and_leaves_what_follows_the_answer_to_the_job) {
    SessionAnswer reserved;
    reserved.job = JobNumber{5};
    session_says(hello(own_build_id()) + some_state() +
                 framed(FrameType::session_answer, reserved.encode()) + "for the job");
    const auto state = simulation.get(talk.greet());
    ASSERT_TRUE(state);
    EXPECT_EQ(state->waiting, 3U);
    const auto answer = simulation.get(talk.ask(ReserveRequest{{{1, 2}}}));
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->job, JobNumber{5});
    const auto stream = talk.take_stream();
    std::string rest(100, '\0');
    rest.resize(simulation.get(stream->read_some(rest)));
    EXPECT_EQ(rest, "for the job");
}

TEST_F(ASessionTalk, says_why_a_session_cannot_be_asked) {
    const std::string unread = "the session sent an answer that this launch cannot read";
    const struct {
        std::string said;
        bool ends;
        ErrorKind kind;
        std::string cause;
        seconds after;
    } rows[] = {
        {hello("another"), false, ErrorKind::usage,
         "process 7 of the session runs another build of launch", seconds{0}},
        {{}, false, ErrorKind::unreachable, "process 7 has not answered for 10 s", seconds{10}},
        {hello(own_build_id()), false, ErrorKind::unreachable,
         "process 7 has not answered for 10 s", seconds{10}},
        {hello(own_build_id()), true, ErrorKind::unreachable, "the session has ended", seconds{0}},
        {some_state(), false, ErrorKind::usage, unread, seconds{0}},
        {hello(own_build_id()) + framed(FrameType::session_state, "?"), false, ErrorKind::usage,
         unread, seconds{0}},
    };
    for (const auto& row : rows) {
        const auto other = Cable::make(executor, true);
        session = other->end(Cable::Side::b);
        SessionTalk asked(executor, {"s", 7}, other->end(Cable::Side::a));
        const auto begun = Clock::now();
        EXPECT_TRUE(simulation.run(write(row.said), seconds{1}));
        if (row.ends) session->close();
        const auto state = simulation.get(asked.greet());
        ASSERT_FALSE(state) << row.cause;
        EXPECT_EQ(state.error().cause, row.cause);
        EXPECT_EQ(state.error().kind, row.kind) << row.cause;
        EXPECT_EQ(state.error().operation, "session s");
        EXPECT_EQ(std::chrono::floor<seconds>(Clock::now() - begun), row.after) << row.cause;
    }
}

/// Until a stop. The session tells its state once.
TEST_F(ASessionTalk, waits_for_slots_as_long_as_it_takes) {
    session_says(hello(own_build_id()) + some_state());
    ASSERT_TRUE(simulation.get(talk.greet()));
    std::optional<Result<SessionState>> changed;
    tasks.spawn(keep(talk.wait_for_slots({1}), changed));
    simulation.run_for(seconds{90});
    EXPECT_FALSE(changed);
    session_says(some_state());
    EXPECT_TRUE(simulation.until([&] { return changed.has_value(); }));
    EXPECT_TRUE(*changed);
    changed.reset();
    tasks.spawn(keep(talk.wait_for_slots({1}), changed));
    simulation.run_for(seconds{90});
    EXPECT_FALSE(changed);
    stop.request_stop();
    EXPECT_TRUE(simulation.until([&] { return changed.has_value(); }));
    EXPECT_FALSE(*changed);
}

/// Its two messages have the time of one answer.
TEST_F(ASessionTalk, waits_for_no_greeting_that_comes_in_parts_over_too_long_a_time) {
    simulation.run_for(seconds{1});
    const auto begun = Clock::now();
    std::optional<Result<SessionState>> state;
    tasks.spawn(keep(talk.greet(), state));
    simulation.run_for(seconds{6});
    session_says(hello(own_build_id()));
    EXPECT_TRUE(simulation.until([&] { return state.has_value(); }));
    EXPECT_FALSE(*state);
    EXPECT_EQ(Clock::now() - begun, seconds{10});
}

/// The session stands still.
TEST_F(ASessionTalk, ends_a_request_of_a_rank_when_the_session_is_silent) {
    const Factories factories{};
    std::vector<std::shared_ptr<Cable>> cables;
    SessionGround::Settings settings;
    settings.connect = [&](std::stop_token) {
        cables.push_back(Cable::make(executor, true));
        return made(SessionTalk(executor, {"s", 7}, cables.back()->end(Cable::Side::a)));
    };
    SessionGround ground(executor, std::move(settings), factories);
    const auto begun = Clock::now();
    const auto grown = simulation.get(ground.grow({Host{"", "n1", 0, 1}}));
    ASSERT_FALSE(grown);
    EXPECT_EQ(grown.error().cause, "process 7 has not answered for 10 s");
    EXPECT_EQ(Clock::now() - begun, seconds{10});
}

}  // namespace
}  // namespace launch
