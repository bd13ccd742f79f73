// SPDX-License-Identifier: MIT
#include "core/link/framed_link.hpp"

#include <algorithm>
#include <array>
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

/// One direction of a stream between two links of one thread. Says that it has taken bytes later
/// than the other side reads them, as sockets do.
struct Pipe {
    explicit Pipe(any_io_executor executor) : changed(executor) {}
    std::string bytes;
    bool open = true;
    Event changed;
};

class PipeEnd : public ByteStream {
  public:
    PipeEnd(any_io_executor executor, std::shared_ptr<Pipe> in, std::shared_ptr<Pipe> out)
        : executor_(executor), in_(std::move(in)), out_(std::move(out)) {}

    awaitable<size_t> read_some(std::span<char> buffer) override {
        while (in_->open && in_->bytes.empty())
            co_await in_->changed.wait();
        const size_t n = in_->bytes.copy(buffer.data(), buffer.size());
        in_->bytes.erase(0, n);
        co_return n;
    }
    awaitable<size_t> write_some(std::span<const char> bytes) override {
        if (!out_->open) co_return 0;
        out_->bytes.append(bytes.data(), bytes.size());
        out_->changed.notify();
        for (int i = 0; i < 20; ++i)
            co_await asio::post(executor_, asio::use_awaitable);
        co_return bytes.size();
    }
    void close() noexcept override {
        for (const auto& pipe : {in_, out_}) {
            pipe->open = false;
            pipe->changed.notify();
        }
    }

  private:
    any_io_executor executor_;
    std::shared_ptr<Pipe> in_;
    std::shared_ptr<Pipe> out_;
};

std::pair<std::unique_ptr<ByteStream>, std::unique_ptr<ByteStream>> make_pipe(
    any_io_executor executor) {
    auto there = std::make_shared<Pipe>(executor);
    auto back = std::make_shared<Pipe>(executor);
    return {std::make_unique<PipeEnd>(executor, back, there),
            std::make_unique<PipeEnd>(executor, there, back)};
}

constexpr uint64_t most_numbers = 200;

awaitable<void> count_up(any_io_executor executor, FramedLink& link) {
    for (uint64_t i = 0; i < most_numbers; ++i) {
        link.send_now(FrameType::credit, encode_number(i));
        co_await asio::post(executor, asio::use_awaitable);
    }
}

/// False: a number was lost, doubled or out of turn.
awaitable<void> expect_numbers(FramedLink& link, bool& right) {
    for (uint64_t i = 0; i < most_numbers; ++i) {
        const auto frame = co_await link.receive();
        if (!frame || !frame->has_value() || decode_number((*frame)->payload) != i) co_return;
    }
    right = true;
}

struct Ends {
    FramedLink& parent;
    FramedLink& child;
    bool parent_right = false;
    bool child_right = false;
};

awaitable<void> move_in_the_middle(any_io_executor executor, Ends& ends) {
    TaskGroup writers(executor);
    TaskGroup tasks(executor);
    for (FramedLink* link : {&ends.parent, &ends.child}) {
        link->send_magic();
        writers.spawn(link->run_writer());
        tasks.spawn(count_up(executor, *link));
    }
    tasks.spawn(expect_numbers(ends.parent, ends.parent_right));
    tasks.spawn(expect_numbers(ends.child, ends.child_right));
    for (int i = 0; i < 50; ++i)
        co_await asio::post(executor, asio::use_awaitable);
    auto [above, below] = make_pipe(executor);
    ends.parent.offer(std::move(above));
    ends.child.move_to(std::move(below));
    co_await tasks.join();
    ends.parent.close();
    ends.child.close();
    co_await writers.join();
}

TEST(FramedLink, frames_stay_in_order_when_it_moves) {
    asio::io_context io;
    auto [above, below] = make_pipe(io.get_executor());
    FramedLink parent(io.get_executor(), std::move(above));
    FramedLink child(io.get_executor(), std::move(below));
    Ends ends{parent, child};
    run_to_end(io, move_in_the_middle(io.get_executor(), ends));
    EXPECT_TRUE(ends.parent_right);
    EXPECT_TRUE(ends.child_right);
    EXPECT_TRUE(parent.moved());
    EXPECT_TRUE(child.moved());
}

/// The child's last words and its move are in one batch.
awaitable<void> leave_while_moving(any_io_executor executor, Ends& ends) {
    TaskGroup writers(executor);
    ends.child.send_magic();
    ends.parent.send_magic();
    ends.child.send(FrameType::bye, {});
    auto [above, below] = make_pipe(executor);
    ends.parent.offer(std::move(above));
    ends.child.move_to(std::move(below));
    for (FramedLink* link : {&ends.parent, &ends.child})
        writers.spawn(link->run_writer());
    const auto bye = co_await ends.parent.receive();
    EXPECT_TRUE(bye && bye->has_value() && (*bye)->type == FrameType::bye);
    EXPECT_FALSE(ends.parent.moved());
    ends.parent.close_when_moved();
    const auto parents_end = co_await ends.parent.receive();
    ends.parent_right = parents_end && !parents_end->has_value();
    const auto childs_end = co_await ends.child.receive();
    ends.child_right = childs_end && !childs_end->has_value();
    ends.child.close();
    co_await writers.join();
}

TEST(FramedLink, last_words_that_meet_a_move_end_the_link) {
    asio::io_context io;
    auto [above, below] = make_pipe(io.get_executor());
    FramedLink parent(io.get_executor(), std::move(above));
    FramedLink child(io.get_executor(), std::move(below));
    Ends ends{parent, child};
    run_to_end(io, leave_while_moving(io.get_executor(), ends));
    EXPECT_TRUE(ends.parent_right);
    EXPECT_TRUE(ends.child_right);
}

/// As what comes from a child whose host never stands still: the next frame is there already.
awaitable<void> send_much(FramedLink& link, int& sent) {
    for (;;) {
        const bool taken = co_await link.send_data(FrameType::output, "four");
        if (!taken) co_return;
        ++sent;
    }
}

constexpr int credits = 30;

awaitable<void> give_credit(any_io_executor executor, FramedLink& link, uint64_t bytes) {
    for (int i = 0; i < credits; ++i) {
        link.add_credit(bytes);
        for (int turn = 0; turn < 20; ++turn)
            co_await asio::post(executor, asio::use_awaitable);
    }
    link.close();
}

/// A reader that is slower than they are grants as much as it has read: one frame, or some.
TEST(FramedLink, senders_that_never_stand_still_share_the_credit) {
    for (const int frames : {1, 2, 4}) {
        asio::io_context io;
        FramedLink link(io.get_executor(), std::make_unique<Departed>(""));
        TaskGroup tasks(io.get_executor());
        std::array<int, 3> sent{};
        for (int& each : sent)
            tasks.spawn(send_much(link, each));
        tasks.spawn(give_credit(io.get_executor(), link, 4 * static_cast<uint64_t>(frames)));
        run_to_end(io, tasks.join());
        for (const int each : sent)
            EXPECT_EQ(each, credits * frames / 3) << frames << " at a time";
    }
}

}  // namespace
}  // namespace launch
