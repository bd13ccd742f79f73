// SPDX-License-Identifier: MIT
#include "core/io/stdin_reader.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include "core/async/run.hpp"
#include "core/base/fd.hpp"

namespace launch {
namespace {

awaitable<void> read_one(StdinReader& reader, std::string& bytes) {
    bytes = co_await reader.read(100);
}

TEST(StdinReader, gives_what_is_there_and_the_end) {
    FdPair pipe = make_pipe();
    ASSERT_EQ(write(pipe.second.get(), "abc", 3), 3);
    asio::io_context io;
    StdinReader reader(io.get_executor(), pipe.first.get());
    std::string bytes;
    run_to_end(io, read_one(reader, bytes));
    EXPECT_EQ(bytes, "abc");
    pipe.second.reset();
    io.restart();
    run_to_end(io, read_one(reader, bytes));
    EXPECT_EQ(bytes, "");
}

TEST(StdinReader, stop_ends_a_read_that_waits_for_the_first_byte) {
    FdPair pipe = make_pipe();
    asio::io_context io;
    StdinReader reader(io.get_executor(), pipe.first.get());
    std::string bytes = "none";
    asio::post(io, [&] { reader.stop(); });
    run_to_end(io, read_one(reader, bytes));
    EXPECT_EQ(bytes, "");
}

/// A terminal that is ready as soon as it has one byte, and whose reader then waits in the kernel
/// for more: as one does at a pipe whose bytes another process has taken since poll() saw them.
struct StickyTerminal {
    StickyTerminal() : ours(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
        if (grantpt(ours.get()) != 0 || unlockpt(ours.get()) != 0) return;
        theirs = UniqueFd(open(ptsname(ours.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
        termios modes{};
        tcgetattr(theirs.get(), &modes);
        cfmakeraw(&modes);
        modes.c_cc[VMIN] = 255;
        modes.c_cc[VTIME] = 255;  // tenths of a second, after each byte
        tcsetattr(theirs.get(), TCSANOW, &modes);
        if (write(ours.get(), "x", 1) != 1) theirs.reset();
    }
    UniqueFd ours;
    UniqueFd theirs;
};

TEST(StdinReader, stop_ends_a_read_that_waits_in_the_kernel) {
    const StickyTerminal terminal;
    ASSERT_TRUE(terminal.theirs);
    pollfd ready{terminal.theirs.get(), POLLIN, 0};
    ASSERT_EQ(poll(&ready, 1, -1), 1);
    asio::io_context io;
    StdinReader reader(io.get_executor(), terminal.theirs.get());
    std::string bytes = "none";
    asio::steady_timer in_the_kernel(io, std::chrono::milliseconds(100));
    in_the_kernel.async_wait([&](std::error_code) { reader.stop(); });
    run_to_end(io, read_one(reader, bytes));
    EXPECT_EQ(bytes, "");
}

}  // namespace
}  // namespace launch
