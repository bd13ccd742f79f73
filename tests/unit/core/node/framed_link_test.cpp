#include "core/node/framed_link.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "core/async/run.hpp"
#include "core/async/task_group.hpp"
#include "core/wire/messages.hpp"

namespace launch {
namespace {

/// The other side said something and left: it can be heard, but takes nothing.
class Departed : public ByteStream {
  public:
    explicit Departed(std::string said) : said_(std::move(said)) {}

    awaitable<size_t> read_some(std::span<char> buffer) override {
        const size_t n = open_ ? said_.copy(buffer.data(), std::min<size_t>(buffer.size(), 10)) : 0;
        said_.erase(0, n);
        co_return n;
    }
    awaitable<size_t> write_some(std::span<const char>) override { co_return 0; }
    void close() noexcept override { open_ = false; }

  private:
    std::string said_;
    bool open_ = true;
};

awaitable<void> write_then_read(FramedLink& link, TaskGroup& tasks, int& heard, bool& taken) {
    link.send(FrameType::credit, encode_number(1));
    tasks.spawn(link.run_writer());
    co_await tasks.join();
    link.send(FrameType::credit, encode_number(1));
    taken = co_await link.send_data(FrameType::output, "for nobody");
    for (;;) {
        const auto frame = co_await link.receive();
        if (!frame || !frame->has_value()) co_return;
        ++heard;
    }
}

TEST(FramedLink, who_has_left_is_heard_to_the_end) {
    asio::io_context io;
    std::string said(link_magic);
    for (int i = 0; i < 3; ++i)
        encode_frame(FrameType::output, "the last words", said);
    FramedLink link(io.get_executor(), std::make_unique<Departed>(said));
    TaskGroup tasks(io.get_executor());
    int heard = 0;
    bool taken = true;
    run_to_end(io, write_then_read(link, tasks, heard, taken));
    EXPECT_EQ(heard, 3);
    EXPECT_FALSE(taken);
}

}  // namespace
}  // namespace launch
