// SPDX-License-Identifier: MIT
#include "core/push/push.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "core/async/event.hpp"
#include "core/async/run.hpp"
#include "core/push/bootstrap.hpp"
#include "tests/unit/core/harness/simulated_run.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;

/// Takes so many bytes at a time, and in all. Never says anything.
struct Taker : ByteStream {
    explicit Taker(size_t step, size_t most = SIZE_MAX) : step_(step), most_(most) {}

    awaitable<size_t> read_some(std::span<char>) override { co_return 0; }
    awaitable<size_t> write_some(std::span<const char> bytes) override {
        const size_t n = closed ? 0 : std::min({bytes.size(), step_, most_ - taken.size()});
        taken.append(bytes.data(), n);
        co_return n;
    }
    void close() noexcept override { closed = true; }

    std::string taken;
    bool closed = false;

  private:
    size_t step_;
    size_t most_;
};

struct Sender {
    explicit Sender(SimulatedRun::Time time = SimulatedRun::Time::real) : simulation(1, time) {}

    SimulatedRun simulation;
    asio::io_context& io = simulation.io;
    Image image = *Image::open();
    std::string line = bootstrap_line({image.size(), image.checksum(), std::chrono::seconds(7)});

    template <class F>
    void with(F f) {
        run_to_end(io, f(*this));
    }
};

awaitable<void> send_all(Sender& run, Taker& taker) {
    StreamWatch watch(run.io.get_executor(), taker, milliseconds(60'000), {});
    Push push(taker, run.image, watch);
    auto status = co_await push.begin(std::chrono::seconds(7));
    EXPECT_TRUE(status);
    while (push.taken() < run.image.size()) {
        EXPECT_EQ(push.sent(), std::min(push.taken() + push_piece, run.image.size()));
        EXPECT_EQ(taker.taken.size(), run.line.size() + push.sent());
        const std::string has = std::to_string(push.sent());
        status = co_await push.go_on(has);
        EXPECT_TRUE(status);
        EXPECT_EQ(std::to_string(push.taken()), has);
    }
}

TEST(Push, sends_the_line_and_a_piece_for_each_that_has_come) {
    for (const size_t step : {size_t{7777}, SIZE_MAX}) {
        Sender run;
        Taker taker(step);
        run.with([&](Sender& r) { return send_all(r, taker); });
        ASSERT_EQ(taker.taken.size(), run.line.size() + run.image.size());
        EXPECT_TRUE(taker.taken.starts_with(run.line));
        std::string whole(run.image.size(), '\0');
        ASSERT_TRUE(run.image.read(whole, 0));
        EXPECT_TRUE(taker.taken.substr(run.line.size()) == whole);
    }
}

awaitable<void> send_a_bit(Sender& run, Taker& taker, uint64_t expected) {
    StreamWatch watch(run.io.get_executor(), taker, milliseconds(60'000), {});
    Push push(taker, run.image, watch);
    const auto status = co_await push.begin(std::chrono::seconds(7));
    EXPECT_TRUE(status);
    EXPECT_EQ(push.sent(), expected);
    EXPECT_EQ(push.taken(), 0u);
}

TEST(Push, ends_with_its_stream) {
    Sender run;
    constexpr size_t bite = 16384;
    for (const size_t taken : {size_t{0}, size_t{1}, bite, bite + 1}) {
        Taker taker(SIZE_MAX, run.line.size() + taken);
        run.with([&](Sender& r) { return send_a_bit(r, taker, taken / bite * bite); });
    }
    Taker taker(SIZE_MAX, 5);
    run.with([&](Sender& r) { return send_a_bit(r, taker, 0); });
}

awaitable<void> hear_nonsense(Sender& run, Taker& taker) {
    StreamWatch watch(run.io.get_executor(), taker, milliseconds(60'000), {});
    Push push(taker, run.image, watch);
    auto status = co_await push.begin(std::chrono::seconds(7));
    for (const char* has : {"", "x", "0", "1", "524287", "99999999999999999999999"}) {
        status = co_await push.go_on(has);
        EXPECT_EQ(push.sent(), push_piece) << has;
        EXPECT_EQ(push.taken(), 0u) << has;
    }
}

TEST(Push, sends_nothing_on_what_its_script_does_not_say) {
    Sender run;
    Taker taker(SIZE_MAX);
    run.with([&](Sender& r) { return hear_nonsense(r, taker); });
}

awaitable<void> watch_for(Sender& run, Taker& taker, milliseconds patience, bool progress) {
    const auto begin = Clock::now();
    StreamWatch watch(run.io.get_executor(), taker, patience, {});
    while (!taker.closed) {
        co_await sleep_for(run.io.get_executor(), milliseconds(5));
        if (progress) watch.progress();
    }
    EXPECT_TRUE(watch.timed_out());
    const auto took = Clock::now() - begin;
    EXPECT_EQ(took, progress ? StreamWatch::longest * patience : patience);
}

TEST(StreamWatch, closes_what_stands_still_and_what_takes_too_long) {
    for (const bool progress : {false, true}) {
        Sender run(SimulatedRun::Time::simulated);
        Taker taker(1);
        EXPECT_TRUE(run.simulation.run(watch_for(run, taker, milliseconds(40), progress)));
    }
}

awaitable<void> stop_it(Sender& run, Taker& taker) {
    std::stop_source stop;
    {
        const StreamWatch watch(run.io.get_executor(), taker, milliseconds(60'000),
                                stop.get_token());
        EXPECT_FALSE(taker.closed);
        stop.request_stop();
        EXPECT_TRUE(taker.closed);
        EXPECT_FALSE(watch.timed_out());
    }
    co_return;
}

TEST(StreamWatch, closes_when_the_job_ends) {
    Sender run;
    Taker taker(1);
    run.with([&](Sender& r) { return stop_it(r, taker); });
}

}  // namespace
}  // namespace launch
