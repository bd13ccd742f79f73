// SPDX-License-Identifier: MIT
#include "core/io/stdin_reader.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "core/async/run.hpp"
#include "core/async/task_group.hpp"
#include "core/base/fd.hpp"
#include "tests/unit/core/harness/comes_true.hpp"
#include "tests/unit/core/harness/other_threads.hpp"
#include "tests/unit/core/harness/run_until.hpp"

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
/// A process that leads a session without a terminal gets it as its own.
struct StickyTerminal {
    StickyTerminal() : ours(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
        if (grantpt(ours.get()) != 0 || unlockpt(ours.get()) != 0) return;
        theirs = UniqueFd(open(ptsname(ours.get()), O_RDWR | O_CLOEXEC));
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

/// Ends with 0 if the read waited in the kernel and ended. The reader takes a terminal that is not
/// its own for one that it is in the background of, and does not read.
[[noreturn]] void stop_a_read_of_the_own_terminal() {
    setsid();
    const StickyTerminal terminal;
    pollfd ready{terminal.theirs.get(), POLLIN, 0};
    if (!terminal.theirs || poll(&ready, 1, -1) != 1) _exit(2);
    if (tcgetpgrp(terminal.theirs.get()) != getpgrp()) _exit(3);
    std::string bytes = "none";
    bool waits = false;
    {
        asio::io_context io;
        StdinReader reader(io.get_executor(), terminal.theirs.get());
        TaskGroup group(io.get_executor());
        group.spawn(read_one(reader, bytes));
        settle(io);
        waits = comes_true(other_threads_wait);
        reader.stop();
        io.restart();
        run_to_end(io, group.join());
    }
    _exit(waits && bytes.empty() ? 0 : 1);
}

TEST(StdinReader, stop_ends_a_read_that_waits_in_the_kernel) {
    const pid_t child = fork();
    if (child == 0) stop_a_read_of_the_own_terminal();
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace launch
