// SPDX-License-Identifier: MIT
#include "transports/command/child_stream.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

#include "core/async/event.hpp"
#include "core/base/environment.hpp"
#include "core/base/fd.hpp"
#include "core/base/shortage.hpp"
#include "core/io/fd_stream.hpp"
#include "core/process/pty.hpp"
#include "core/process/spawn.hpp"
#include "transports/tail_text.hpp"

namespace launch {
namespace {

/// How long after the end of its output a child may take to exit and to be drained.
constexpr std::chrono::milliseconds command_exit_patience(1000);

struct Pipes {
    FdPair in = make_pipe();
    FdPair out;
    FdPair error = make_pipe();

    explicit Pipes(ChildStream::Words words) {
        // Output to a pipe may stay in the program's buffer until it ends.
        if (words == ChildStream::Words::together) out = make_pty({});
        if (!out.first) out = make_pipe();
    }

    bool complete() const { return in.first && out.first && error.first; }
};

}  // namespace

/// Shared with the reaper and with the handlers of waits, which may come after the stream.
class ChildStream::Core : public std::enable_shared_from_this<ChildStream::Core> {
  public:
    Core(const any_io_executor& executor, pid_t pid, Pipes& pipes)
        : pid_(pid),
          streams_(executor, std::move(pipes.out.first), std::move(pipes.in.second)),
          error_pipe_(executor, pipes.error.first.release()),
          changed_(executor),
          timer_(executor) {}

    void watch(Reaper& reaper) {
        // The callback keeps this Core until the child has ended, also after the stream has gone.
        auto self = shared_from_this();
        watch_ = reaper.watch(pid_, [self](int wait_status) {
            self->reaped_ = true;
            if (WIFEXITED(wait_status)) self->exit_code_ = WEXITSTATUS(wait_status);
            self->changed_.notify();
        });
        drain_errors();
    }

    awaitable<First> wait_for_first_byte(Clock::time_point deadline, std::stop_token stop);
    awaitable<size_t> read_some(std::span<char> buffer);
    awaitable<size_t> write_some(std::span<const char> bytes) {
        const auto self = shared_from_this();
        co_return co_await streams_.write_some(bytes);
    }

    void close() noexcept {
        streams_.close();
        std::error_code ignored;
        error_pipe_.close(ignored);
        // Its whole group: a client may have helpers (ProxyCommand). Once it was reaped the
        // number may be another process's.
        if (!reaped_) ::kill(-pid_, SIGKILL);
        changed_.notify();
    }

    std::string error_text() const { return errors_.text(); }
    std::optional<int> exit_code() const { return exit_code_; }

  private:
    void drain_errors() {
        auto self = shared_from_this();
        auto taken = [self](std::error_code ec, size_t n) {
            self->errors_.append({self->error_bytes_.data(), n});
            if (!ec) return self->drain_errors();
            self->drained_ = true;
            self->changed_.notify();
        };
        error_pipe_.async_read_some(asio::buffer(error_bytes_), taken);
    }

    awaitable<void> settle();

    pid_t pid_;
    Reaper::Watch watch_;
    FdStream streams_;
    asio::posix::stream_descriptor error_pipe_;
    Event changed_;
    Timer timer_;
    std::array<char, 1024> error_bytes_{};
    TailText errors_;
    std::string ahead_;  ///< read and not yet handed out
    bool drained_ = false;
    bool reaped_ = false;
    bool timed_out_ = false;
    std::optional<int> exit_code_;
};

awaitable<ChildStream::First> ChildStream::Core::wait_for_first_byte(Clock::time_point deadline,
                                                                     std::stop_token stop) {
    const auto self = shared_from_this();
    timer_.expires_at(deadline);
    timer_.async_wait([self](std::error_code ec) {
        if (ec) return;
        self->timed_out_ = true;
        self->close();
    });
    std::string first(4096, '\0');
    size_t n = 0;
    {
        const std::stop_callback stopped(stop, [this] { close(); });
        n = co_await streams_.read_some({first.data(), first.size()});
    }
    timer_.cancel();
    ahead_.assign(first, 0, n);
    if (n > 0) co_return First::spoke;
    if (stop.stop_requested()) co_return First::stopped;
    if (timed_out_) co_return First::timed_out;
    co_await settle();
    co_return First::ended;
}

awaitable<size_t> ChildStream::Core::read_some(std::span<char> buffer) {
    const auto self = shared_from_this();
    if (!ahead_.empty()) {
        const size_t n = std::min(buffer.size(), ahead_.size());
        std::memcpy(buffer.data(), ahead_.data(), n);
        ahead_.erase(0, n);
        co_return n;
    }
    const size_t n = co_await streams_.read_some(buffer);
    if (n == 0) {
        co_await settle();
    }
    co_return n;
}

/// After the end of its output: the exit code and the last words are about to come.
awaitable<void> ChildStream::Core::settle() {
    const auto deadline = Clock::now() + command_exit_patience;
    while (!(reaped_ && drained_) && Clock::now() < deadline) {
        co_await changed_.wait_until(deadline);
    }
}

Result<std::unique_ptr<ChildStream>> ChildStream::start(const any_io_executor& executor,
                                                        Reaper& reaper,
                                                        const std::vector<std::string>& argv,
                                                        std::optional<int> own_failure,
                                                        Words words) {
    Pipes pipes(words);
    if (!pipes.complete()) return os_error("open a pipe", errno);
    SpawnRequest request;
    request.argv = argv;
    request.env = own_environment();
    request.stdin_fd = pipes.in.first.get();
    request.stdout_fd = pipes.out.second.get();
    request.stderr_fd = (words == Words::apart ? pipes.error : pipes.out).second.get();
    const SpawnResult spawned = spawn_process(request);
    if (spawned.pid < 0) {
        Error error = os_error("execute " + argv.at(0), spawned.failure.value);
        if (spawned.failure.stage == ExitStatus::Stage::fork)
            error.cause = no_process_text(spawned.failure.value);
        return error;
    }
    auto core = std::make_shared<Core>(executor, spawned.pid, pipes);
    core->watch(reaper);
    return std::unique_ptr<ChildStream>(new ChildStream(std::move(core), own_failure));
}

ChildStream::ChildStream(std::shared_ptr<Core> core, std::optional<int> own_failure)
    : core_(std::move(core)), own_failure_(own_failure) {}

ChildStream::~ChildStream() {
    core_->close();
}

awaitable<ChildStream::First> ChildStream::wait_for_first_byte(Clock::time_point deadline,
                                                               std::stop_token stop) {
    return core_->wait_for_first_byte(deadline, std::move(stop));
}

awaitable<size_t> ChildStream::read_some(std::span<char> buffer) {
    return core_->read_some(buffer);
}

awaitable<size_t> ChildStream::write_some(std::span<const char> bytes) {
    return core_->write_some(bytes);
}

void ChildStream::close() noexcept {
    core_->close();
}

std::string ChildStream::error_text() const {
    return core_->error_text();
}

std::optional<int> ChildStream::exit_code() const {
    const auto code = core_->exit_code();
    return code == own_failure_ ? std::nullopt : code;
}

}  // namespace launch
