// SPDX-License-Identifier: MIT
#include "core/tree/relay_start.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <gtest/gtest.h>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>

#include "core/async/event.hpp"
#include "core/async/run.hpp"
#include "core/push/bootstrap.hpp"
#include "core/wire/messages.hpp"
#include "tests/unit/core/harness/framed.hpp"
#include "tests/unit/core/harness/simulated_run.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;

const std::string build = "0123456789abcdef";

std::string greeting(const std::string& of_build, uint32_t version = Hello::current_version) {
    return std::string(link_magic) + framed(FrameType::hello, Hello{version, of_build}.encode());
}

std::string line(const std::string& words) {
    return std::string(push_mark) + " " + words + "\n";
}

/// What one host does when it is asked once.
struct Answer {
    std::string says;
    std::optional<int> code;  ///< with which it then ends; nothing: it goes on in silence
    std::string error_text;
    /// It asked to be sent the executable: takes that, then says this.
    std::string says_later;
};

class Said : public ByteStream {
  public:
    Said(const any_io_executor& executor, Answer host)
        : host_(std::move(host)), closed_(executor) {}

    awaitable<size_t> read_some(std::span<char> buffer) override {
        // A byte at a time: whatever belongs together may come apart.
        if (host_.says.empty() && taken_ > 0) host_.says = std::exchange(host_.says_later, {});
        while (host_.says.empty() && !host_.code && !gone_)
            co_await closed_.wait();
        if (host_.says.empty() || gone_) co_return 0;
        buffer[0] = host_.says.front();
        host_.says.erase(0, 1);
        co_return 1;
    }
    awaitable<size_t> write_some(std::span<const char> bytes) override {
        taken_ += bytes.size();
        co_return bytes.size();
    }
    void close() noexcept override {
        gone_ = true;
        closed_.notify();
    }
    std::string error_text() const override { return host_.error_text; }
    std::optional<int> exit_code() const override { return host_.code; }

  private:
    Answer host_;
    Event closed_;
    size_t taken_ = 0;
    bool gone_ = false;
};

/// Answers each request with the next of a list, and keeps what was asked for.
struct Scripted : Transport {
    awaitable<Result<std::unique_ptr<ByteStream>>> start(StartRequest request) override {
        asked.push_back(request.argv);
        if (ends != nullptr) ends->request_stop();
        if (answers.empty()) co_return Error{ErrorKind::unreachable, "connect", "h1", -1, "no", {}};
        auto stream = std::make_unique<Said>(executor, answers.front());
        answers.pop_front();
        co_return std::unique_ptr<ByteStream>(std::move(stream));
    }
    std::string explain(const StartRequest&) override { return {}; }

    any_io_executor executor;
    std::deque<Answer> answers;
    std::vector<std::vector<std::string>> asked;
    std::stop_source* ends = nullptr;  ///< the job ends while it starts
};

struct Outcome {
    std::string failure;  ///< empty: it runs
    bool replaced = false;
    uint64_t pushed = 0;
    std::vector<std::vector<std::string>> asked;
    std::vector<StartStage> stages;  ///< that it came to, in their order
    Clock::duration took{};
};

struct Run {
    SimulatedRun simulation;
    asio::io_context& io = simulation.io;
    Scripted transport;
    TreePolicies policies;
    std::string path = "/opt/launch";
    std::shared_ptr<StartClock> clock = std::make_shared<StartClock>();
    std::optional<Image> image;
    std::stop_source stop;
    Outcome outcome;
};

awaitable<void> start(Run& run) {
    RelayStart relay({run.io.get_executor(),
                      run.transport,
                      run.policies,
                      {run.path, {}},
                      build,
                      run.stop.get_token(),
                      run.clock,
                      run.image},
                     Host{"", "h1", 0, 1});
    auto link = co_await relay.run();
    if (!link) {
        run.outcome.failure = describe(link.error());
        EXPECT_EQ(link.error().kind, ErrorKind::unreachable);
        EXPECT_EQ(link.error().host, "h1");
    }
    run.outcome.replaced = relay.replaced();
    run.outcome.pushed = relay.pushed_bytes();
    run.outcome.asked = run.transport.asked;
    for (size_t i = 0; i < start_stages; ++i)
        if (run.clock->began(static_cast<StartStage>(i)))
            run.outcome.stages.push_back(static_cast<StartStage>(i));
}

Outcome outcome_of(PushChoice push, std::deque<Answer> answers,
                   milliseconds patience = milliseconds{10'000}, bool ends = false) {
    Run run;
    run.transport.executor = run.io.get_executor();
    run.transport.answers = std::move(answers);
    run.policies.push = push;
    run.policies.start_timeout = patience;
    if (ends) run.transport.ends = &run.stop;
    EXPECT_TRUE(run.simulation.run(start(run)));
    run.outcome.took = Clock::now() - SimulatedTime::beginning;
    return run.outcome;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != text.npos;
}

const std::string asks = line("asks " + own_machine());

TEST(RelayStart, takes_a_relay_that_greets) {
    for (const auto push : {PushChoice::automatic, PushChoice::never}) {
        const auto outcome = outcome_of(push, {{"Welcome!\n" + greeting(build), {}, "", ""}});
        EXPECT_EQ(outcome.failure, "");
        ASSERT_EQ(outcome.asked.size(), 1u);
        EXPECT_EQ(outcome.asked[0], (std::vector<std::string>{"/opt/launch", "--relay"}));
        EXPECT_EQ(outcome.pushed, 0u);
        EXPECT_EQ(outcome.stages,
                  (std::vector{StartStage::queued, StartStage::hello, StartStage::greeted}));
    }
}

TEST(RelayStart, sends_the_executable_to_a_host_that_asks) {
    const auto image = Image::open();
    ASSERT_TRUE(image);
    std::string pieces;
    for (uint64_t has = 0; has < image->size();) {
        has = std::min<uint64_t>(has + push_piece, image->size());
        pieces += line("has " + std::to_string(has));
    }
    for (const auto push : {PushChoice::automatic, PushChoice::always}) {
        const auto outcome = outcome_of(push, {{asks, {}, "", pieces + greeting(build)}});
        EXPECT_EQ(outcome.failure, "");
        EXPECT_EQ(outcome.pushed, image->size());
        EXPECT_FALSE(outcome.replaced);
        EXPECT_EQ(outcome.asked.size(), 1u);
    }
}

TEST(RelayStart, replaces_another_build) {
    const auto outcome =
        outcome_of(PushChoice::automatic,
                   {{greeting("fedcba9876543210"), {}, "", ""}, {greeting(build), {}, "", ""}});
    EXPECT_EQ(outcome.failure, "");
    EXPECT_TRUE(outcome.replaced);
    ASSERT_EQ(outcome.asked.size(), 2u);
    EXPECT_EQ(outcome.asked[1][0], "/bin/sh");
}

TEST(RelayStart, tells_why_the_first_would_not_do_where_the_second_fails) {
    const auto outcome =
        outcome_of(PushChoice::automatic,
                   {{greeting("fedcba9876543210"), {}, "", ""}, {line("fails sum"), {}, "", ""}});
    EXPECT_TRUE(contains(outcome.failure, "cannot be used: the host has another build of launch"))
        << outcome.failure;
}

TEST(RelayStart, looks_in_path_where_it_may_not_send) {
    const auto outcome =
        outcome_of(PushChoice::never, {{"", 127, "", ""}, {greeting(build), {}, "", ""}});
    EXPECT_EQ(outcome.failure, "");
    ASSERT_EQ(outcome.asked.size(), 2u);
    EXPECT_EQ(outcome.asked[1], (std::vector<std::string>{"launch", "--relay"}));
}

struct Failure {
    PushChoice push;
    std::deque<Answer> answers;
    std::string says;
    size_t attempts;
};

TEST(RelayStart, tells_what_failed) {
    const auto never = PushChoice::never;
    const auto automatic = PushChoice::automatic;
    const std::vector<Failure> failures = {
        {never, {}, "connect: no", 1},
        {never, {{"", 127, "", ""}, {"", 127, "", ""}}, "neither at /opt/launch nor in PATH", 2},
        {never, {{"", 126, "", ""}, {"", 126, "", ""}}, "no permission to execute /opt/launch", 2},
        {never, {{greeting("fedcba9876543210"), {}, "", ""}}, "copy this executable", 1},
        {never, {{greeting(build, Hello::current_version + 1), {}, "", ""}}, "another build", 1},
        {never, {{"", 3, "no libssh", ""}}, "exit code 3: no libssh", 1},
        {never, {{"what\n", 3, "", ""}}, "it printed \"what\"", 1},
        {automatic, {{line("asks pdp11"), {}, "", ""}}, "pdp11", 1},
        {automatic, {{line("fails folder /tmp: noexec, "), {}, "", ""}}, "/tmp: noexec", 1},
        {automatic, {{asks, 1, "cut", ""}}, "cut", 1},
        // A login shell that ends whatever it is to run, once asked and twice.
        {PushChoice::always,
         {{"not you\n", 1, "", ""}},
         "exit code 1; it printed \"not you\" (is it nologin, ",
         1},
        {automatic, {{"", 0, "bye", ""}, {"", 0, "bye", ""}}, "exit code 0: bye (", 2},
        {automatic,
         {{"", 3, "no libc", ""}, {"", 127, "no sh", ""}},
         "cannot be used: launch ended before it answered, exit code 3: no libc (",
         2},
        // Something that is no launch: sent once, and then it is said of both.
        {automatic, {{"", 3, "", ""}, {line("fails sum"), {}, "", ""}}, "exit code 3", 2},
    };
    for (const auto& expected : failures) {
        const auto outcome = outcome_of(expected.push, expected.answers);
        EXPECT_TRUE(contains(outcome.failure, expected.says)) << expected.says << "\n"
                                                              << outcome.failure;
        EXPECT_EQ(outcome.asked.size(), expected.attempts) << expected.says;
    }
}

TEST(RelayStart, waits_no_longer_than_it_may) {
    const milliseconds patience{20};
    const auto silent = outcome_of(PushChoice::automatic, {{"", {}, "", ""}}, patience);
    EXPECT_TRUE(contains(silent.failure, "did not answer within 0.02 s")) << silent.failure;
    EXPECT_EQ(silent.took, patience);
    EXPECT_EQ(silent.asked.size(), 1u);
    const auto stuck = outcome_of(PushChoice::automatic, {{asks, {}, "", ""}}, patience);
    EXPECT_TRUE(contains(stuck.failure, "0 of ")) << stuck.failure;
    EXPECT_GT(stuck.pushed, 0u);
}

TEST(RelayStart, gives_up_where_the_job_ends) {
    const milliseconds patience{10'000};
    // It would be waited for; taken; replaced.
    for (const auto& said : {std::string(), greeting(build), greeting("fedcba9876543210")}) {
        const auto outcome = outcome_of(PushChoice::automatic,
                                        {{said, {}, "", ""}, {said, {}, "", ""}}, patience, true);
        EXPECT_NE(outcome.failure, "");
        EXPECT_FALSE(contains(outcome.failure, "did not answer within")) << outcome.failure;
        EXPECT_EQ(outcome.asked.size(), 1u);
        EXPECT_LT(outcome.took, patience / 2);
    }
}

}  // namespace
}  // namespace launch
