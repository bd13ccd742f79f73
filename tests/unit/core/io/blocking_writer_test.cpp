#include "core/io/blocking_writer.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/async/run.hpp"
#include "core/base/fd.hpp"

namespace launch {
namespace {

constexpr size_t piece = 256u << 10;

size_t read_to_the_end(int fd) {
    std::string buffer(piece, '\0');
    size_t total = 0;
    for (;;) {
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
    std::thread reader([&] {
        usleep(100'000);
        total = read_to_the_end(pipe.first.get());
    });
    {
        asio::io_context io;
        BlockingWriter writer(io.get_executor(), pipe.second.get());
        run_to_end(io, write_and_drain(writer, 40));
    }
    pipe.second.reset();
    reader.join();
    EXPECT_EQ(total, 40 * piece);
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
        reader = std::thread([&] { total = read_to_the_end(pipe.first.get()); });
        usleep(200'000);  // all that was queued finds a reader now
    }
    pipe.second.reset();
    reader.join();
    EXPECT_GT(total, 0u);
    EXPECT_LT(total, 20 * piece);
}

}  // namespace
}  // namespace launch
