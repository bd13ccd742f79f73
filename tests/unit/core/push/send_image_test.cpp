#include "core/push/send_image.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "core/async/event.hpp"
#include "core/async/run.hpp"
#include "core/push/bootstrap.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;

/// Takes so many bytes at a time, each time after a pause, and in all.
struct Taker : ByteStream {
    Taker(const any_io_executor& executor, size_t step, milliseconds pause, size_t most)
        : executor_(executor), step_(step), pause_(pause), most_(most) {}

    awaitable<size_t> read_some(std::span<char>) override { co_return 0; }
    awaitable<size_t> write_some(std::span<const char> bytes) override {
        if (pause_.count() > 0) co_await sleep_for(executor_, pause_);
        const size_t n = closed ? 0 : std::min({bytes.size(), step_, most_ - taken.size()});
        taken.append(bytes.data(), n);
        co_return n;
    }
    void close() noexcept override { closed = true; }

    std::string taken;
    bool closed = false;

  private:
    any_io_executor executor_;
    size_t step_;
    milliseconds pause_;
    size_t most_;
};

struct Sending {
    SentImage sent;
    bool timed_out = false;
};

awaitable<void> send(any_io_executor executor, Taker& taker, const Image& image,
                     milliseconds patience, Sending& sending) {
    StreamWatch watch(executor, taker, patience, {});
    sending.sent = co_await send_image(taker, image, watch, std::chrono::seconds(7));
    sending.timed_out = watch.timed_out();
}

struct Run {
    asio::io_context io;
    Image image = *Image::open();
    std::string line = bootstrap_line({image.size(), image.checksum(), std::chrono::seconds(7)});

    Sending with(Taker& taker, milliseconds patience) {
        Sending sending;
        run_to_end(io, send(io.get_executor(), taker, image, patience, sending));
        return sending;
    }
};

TEST(SendImage, sends_the_line_and_the_image_whatever_is_taken_at_a_time) {
    Run run;
    Taker taker(run.io.get_executor(), 7777, {}, SIZE_MAX);
    const Sending sending = run.with(taker, milliseconds(60'000));
    EXPECT_EQ(sending.sent.bytes, run.image.size());
    EXPECT_FALSE(sending.sent.error || sending.timed_out);
    ASSERT_EQ(taker.taken.size(), run.line.size() + run.image.size());
    EXPECT_TRUE(taker.taken.starts_with(run.line));
    std::string whole(run.image.size(), '\0');
    ASSERT_TRUE(run.image.read(whole, 0));
    EXPECT_TRUE(taker.taken.substr(run.line.size()) == whole);
}

TEST(SendImage, counts_what_was_taken_before_the_end) {
    for (const size_t taken : {size_t{0}, size_t{1}, size_t{20'000}}) {
        Run run;
        Taker taker(run.io.get_executor(), SIZE_MAX, {}, run.line.size() + taken);
        EXPECT_EQ(run.with(taker, milliseconds(60'000)).sent.bytes, taken);
    }
    Run run;
    Taker taker(run.io.get_executor(), SIZE_MAX, {}, 5);
    EXPECT_EQ(run.with(taker, milliseconds(60'000)).sent.bytes, 0u);
}

TEST(SendImage, ends_where_nothing_is_taken_any_more) {
    Run run;
    Taker taker(run.io.get_executor(), SIZE_MAX, milliseconds(200), SIZE_MAX);
    EXPECT_TRUE(run.with(taker, milliseconds(50)).timed_out);
    EXPECT_TRUE(taker.closed);
}

TEST(SendImage, takes_longer_than_its_patience_but_not_without_end) {
    Run run;
    Taker taker(run.io.get_executor(), 100, milliseconds(10), SIZE_MAX);
    const auto begin = Clock::now();
    const Sending sending = run.with(taker, milliseconds(50));
    const auto took = Clock::now() - begin;
    EXPECT_TRUE(sending.timed_out);
    EXPECT_GT(sending.sent.bytes, 0u);
    EXPECT_GE(took, milliseconds(450));
    EXPECT_LT(took, milliseconds(2000));
}

}  // namespace
}  // namespace launch
