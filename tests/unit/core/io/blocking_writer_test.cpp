// SPDX-License-Identifier: MIT
#include "core/io/blocking_writer.hpp"

#include <atomic>
#include <fcntl.h>
#include <functional>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/async/run.hpp"
#include "core/base/fd.hpp"
#include "tests/unit/core/harness/comes_true.hpp"
#include "tests/unit/core/harness/other_threads.hpp"

namespace launch {
namespace {

constexpr size_t piece = 256u << 10;

/// Waits before each read until it may read.
size_t read_to_the_end(
    int fd, const std::function<bool()>& may_read = [] { return true; }) {
    std::string buffer(piece, '\0');
    size_t total = 0;
    for (;;) {
        EXPECT_TRUE(comes_true(may_read));
        const ssize_t n = read(fd, buffer.data(), buffer.size());
        if (n <= 0) return total;
        total += static_cast<size_t>(n);
    }
}

awaitable<void> write_pieces(BlockingWriter& writer, int count) {
    for (int i = 0; i < count; ++i) {
        const bool taken = co_await writer.write(std::string(piece, 'x'));
        EXPECT_TRUE(taken);
    }
}

awaitable<void> write_and_drain(BlockingWriter& writer, int count) {
    co_await write_pieces(writer, count);
    co_await writer.drain();
}

TEST(BlockingWriter, writes_everything_to_a_slow_reader) {
    FdPair pipe = make_pipe();
    size_t total = 0;
    std::atomic<bool> drained = false;
    std::atomic<bool> gone = false;
    // The reader waits until the writer cannot go on without it, and takes nothing that the writer
    // still has when it says that it has nothing left.
    const auto may_read = [&] { return gone || (!drained && other_threads_wait()); };
    std::thread reader([&] { total = read_to_the_end(pipe.first.get(), may_read); });
    {
        asio::io_context io;
        BlockingWriter writer(io.get_executor(), pipe.second.get());
        run_to_end(io, write_and_drain(writer, 40));
        drained = true;
    }
    gone = true;
    pipe.second.reset();
    reader.join();
    EXPECT_EQ(total, 40 * piece);
}

/// A pipe that takes no byte, whose writers are told so instead of being made to wait.
FdPair full_pipe() {
    FdPair pipe = make_pipe();
    fcntl(pipe.second.get(), F_SETFL, O_NONBLOCK);
    const std::string bytes(piece, 'x');
    while (write(pipe.second.get(), bytes.data(), bytes.size()) > 0)
        ;
    return pipe;
}

TEST(BlockingWriter, does_not_stop_who_queues_while_it_waits) {
    FdPair pipe = full_pipe();
    asio::io_context io;
    // How often this thread slept, whatever else keeps the machine busy.
    const auto sleeps = [] {
        rusage usage{};
        getrusage(RUSAGE_THREAD, &usage);
        return usage.ru_nvcsw;
    };
    BlockingWriter writer(io.get_executor(), pipe.second.get());
    const auto before = sleeps();
    for (int i = 0; i < 1000; ++i) {
        writer.write_now("y");
        std::this_thread::yield();
    }
    EXPECT_LT(sleeps() - before, 300);
}

TEST(BlockingWriter, goes_on_when_a_shared_descriptor_has_room_again) {
    FdPair pipe = full_pipe();
    asio::io_context io;
    const int full = fcntl(pipe.second.get(), F_GETPIPE_SZ);
    size_t total = 0;
    std::thread reader;
    {
        BlockingWriter writer(io.get_executor(), pipe.second.get());
        writer.write_now(std::string(piece, 'x'));
        EXPECT_TRUE(comes_true(other_threads_wait)) << "the thread that writes waits for room";
        reader = std::thread([&] { total = read_to_the_end(pipe.first.get()); });
        run_to_end(io, write_and_drain(writer, 7));
    }
    pipe.second.reset();
    reader.join();
    EXPECT_EQ(total, static_cast<size_t>(full) + 8 * piece);
}

TEST(BlockingWriter, does_not_fill_memory_once_it_has_given_up) {
    FdPair pipe = make_pipe();
    asio::io_context io;
    size_t total = 0;
    std::thread reader;
    {
        BlockingWriter writer(io.get_executor(), pipe.second.get());
        writer.give_up();
        run_to_end(io, write_pieces(writer, 400));
        EXPECT_TRUE(comes_true(other_threads_wait)) << "the thread that writes waits for room";
        reader = std::thread([&] { total = read_to_the_end(pipe.first.get()); });
        io.restart();
        run_to_end(io, writer.drain());  // all that was queued finds a reader now
    }
    pipe.second.reset();
    reader.join();
    EXPECT_GT(total, 0u);
    EXPECT_LT(total, 20 * piece);
}

}  // namespace
}  // namespace launch
