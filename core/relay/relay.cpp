// SPDX-License-Identifier: MIT
#include "core/relay/relay.hpp"

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

#include "core/async/run.hpp"
#include "core/io/fd_stream.hpp"
#include "core/relay/call_back.hpp"
#include "core/relay/relay_run.hpp"

namespace launch {
namespace {

/// From now on nothing here reads or writes 0 and 1.
void leave_streams() {
    const UniqueFd null(open("/dev/null", O_RDWR | O_CLOEXEC));
    dup2(null.get(), 0);
    dup2(null.get(), 1);
}

/// The streams that the transport gave us.
std::unique_ptr<ByteStream> take_streams(any_io_executor executor) {
    UniqueFd in(fcntl(0, F_DUPFD_CLOEXEC, 3));
    UniqueFd out(fcntl(1, F_DUPFD_CLOEXEC, 3));
    leave_streams();
    return std::make_unique<FdStream>(executor, std::move(in), std::move(out));
}

void say_last(const std::string& why) {
    const std::string words = "launch: " + why + "\n";
    [[maybe_unused]] const ssize_t said = write(STDERR_FILENO, words.data(), words.size());
}

awaitable<void> call_and_run(any_io_executor executor, const Factories& factories,
                             const Guard& guard, std::string file, int& code) {
    auto called = co_await call_back(executor, factories, std::move(file));
    if (const auto* failure = std::get_if<NotCalledBack>(&called)) {
        if (!failure->error.cause.empty()) say_last(describe(failure->error));
        code = static_cast<int>(failure->end);
        co_return;
    }
    leave_streams();
    auto& link = std::get<CalledBack>(called);
    RelayRun relay(executor, std::move(link.stream), factories, guard, say_last,
                   std::move(link.own_address));
    co_await relay.run();
}

}  // namespace

int run_called_relay(const Factories& factories, const Guard& guard, const std::string& file) {
    signal(SIGPIPE, SIG_IGN);
    asio::io_context io(1);
    int code = 0;
    run_to_end(io, call_and_run(io.get_executor(), factories, guard, file, code));
    return code;
}

int run_relay(const Factories& factories, const Guard& guard) {
    signal(SIGPIPE, SIG_IGN);
    asio::io_context io(1);
    RelayRun relay(io.get_executor(), take_streams(io.get_executor()), factories, guard, say_last);
    run_to_end(io, relay.run());
    return 0;
}

}  // namespace launch
