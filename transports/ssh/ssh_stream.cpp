// SPDX-License-Identifier: MIT
#include "transports/ssh/ssh_stream.hpp"

#include <algorithm>
#include <array>

namespace launch {
namespace {

/// The most bytes per write to libssh: it queues all of them, whatever the socket takes.
constexpr size_t most_at_once = size_t{64} * 1024;
/// How long after the end of the output the exit code may take to come.
constexpr std::chrono::milliseconds ssh_exit_patience(1000);

}  // namespace

/// Shared with the handlers of the socket's waits, which may run after the stream is gone.
class SshStream::Core : public std::enable_shared_from_this<SshStream::Core> {
  public:
    Core(const any_io_executor& executor, SshConnection connection)
        : connection_(std::move(connection)),
          lib_(*connection_.lib),
          socket_(executor, connection_.fd),
          changed_(executor) {
        lib_.ssh_set_counters(connection_.session.get(), &traffic_, nullptr);
    }

    awaitable<size_t> read_some(std::span<char> buffer);
    awaitable<size_t> write_some(std::span<const char> bytes);
    size_t write_at_once(std::string_view bytes);
    void close() noexcept;

    const TailText& errors() const { return errors_; }
    std::optional<int> exit_code() const { return exit_code_; }

  private:
    bool open() const { return connection_.session != nullptr; }
    ssh_session session() const { return connection_.session.get(); }
    size_t read_now(std::span<char> buffer);
    void drain_errors();
    size_t write_now(std::span<const char> bytes);
    bool unsent() const { return (lib_.ssh_get_status(session()) & SSH_WRITE_PENDING) != 0; }
    void share_news();
    void let_go_of_closed_socket();
    void watch_socket();
    awaitable<void> wait() {
        watch_socket();
        co_await changed_.wait();
    }
    awaitable<void> wait_for_exit_code();

    SshConnection connection_;
    const LibSsh& lib_;
    asio::posix::stream_descriptor socket_;
    Event changed_;
    ssh_counter_struct traffic_{};
    uint64_t seen_bytes_ = 0;
    bool watching_read_ = false;
    bool watching_write_ = false;
    bool ended_ = false;   ///< nothing more to read, ever
    bool broken_ = false;  ///< nothing can be written any more
    bool spoken_ = false;  ///< the command has written something
    TailText errors_;
    std::optional<int> exit_code_;
};

/// Fills the buffer as far as bytes are there. 0 with `ended_` unset: none are, yet.
size_t SshStream::Core::read_now(std::span<char> buffer) {
    size_t filled = 0;
    for (;;) {
        const uint64_t before = traffic_.in_bytes;
        drain_errors();
        const int n =
            lib_.ssh_channel_read_nonblocking(connection_.channel, buffer.data() + filled,
                                              static_cast<uint32_t>(buffer.size() - filled), 0);
        if (n > 0) filled += static_cast<size_t>(n);
        spoken_ = spoken_ || n > 0;
        ended_ = n < 0;
        if (ended_ || filled == buffer.size()) return filled;
        // A call takes 4 KiB off the socket, which may be a part of a packet: there may be more.
        if (n == 0 && traffic_.in_bytes == before) return filled;
    }
}

void SshStream::Core::drain_errors() {
    std::array<char, 1024> bytes;
    for (;;) {
        const int n =
            lib_.ssh_channel_read_nonblocking(connection_.channel, bytes.data(), bytes.size(), 1);
        if (n <= 0) return;
        errors_.append({bytes.data(), static_cast<size_t>(n)});
    }
}

/// The number of bytes that libssh took. 0 with `broken_` unset: the window is closed, or there is
/// a backlog.
size_t SshStream::Core::write_now(std::span<const char> bytes) {
    lib_.ssh_blocking_flush(session(), 0);
    if (unsent()) return 0;
    const int n =
        lib_.ssh_channel_write(connection_.channel, bytes.data(),
                               static_cast<uint32_t>(std::min(bytes.size(), most_at_once)));
    broken_ = n < 0;
    return n > 0 ? static_cast<size_t>(n) : 0;
}

/// libssh closes the socket when its other end is gone. The number may be another's at once: what
/// is done to it later would be done to that.
void SshStream::Core::let_go_of_closed_socket() {
    if (!socket_.is_open() || lib_.ssh_get_fd(session()) >= 0) return;
    socket_.release();
    changed_.notify();
}

/// After calls into libssh: did they bring in what the other side waits for?
void SshStream::Core::share_news() {
    let_go_of_closed_socket();
    if (std::exchange(seen_bytes_, traffic_.in_bytes) != traffic_.in_bytes || ended_ || broken_)
        changed_.notify();
}

void SshStream::Core::watch_socket() {
    if (!socket_.is_open()) return;
    const auto watch = [this](auto direction, bool& watching) {
        if (watching) return;
        watching = true;
        auto self = shared_from_this();
        auto ready = [self, &watching](std::error_code ec) {
            watching = false;
            if (!ec) self->changed_.notify();
        };
        socket_.async_wait(direction, ready);
    };
    watch(asio::posix::stream_descriptor::wait_read, watching_read_);
    if (unsent()) watch(asio::posix::stream_descriptor::wait_write, watching_write_);
}

awaitable<size_t> SshStream::Core::read_some(std::span<char> buffer) {
    const auto self = shared_from_this();
    while (open()) {
        if (unsent()) lib_.ssh_blocking_flush(session(), 0);
        const size_t n = read_now(buffer);
        share_news();
        if (n > 0) co_return n;
        if (ended_ || !socket_.is_open()) break;
        co_await wait();
    }
    co_await wait_for_exit_code();
    co_return 0;
}

/// Returns when what was taken is with the kernel: a caller that goes idle then leaves nothing
/// behind in libssh that nobody would flush.
awaitable<size_t> SshStream::Core::write_some(std::span<const char> bytes) {
    const auto self = shared_from_this();
    size_t taken = 0;
    while (open() && !broken_) {
        if (taken == 0) {
            taken = write_now(bytes);
        } else {
            lib_.ssh_blocking_flush(session(), 0);
        }
        // The flush reads nothing while all is sent; a closed window opens by reading.
        if (taken == 0 && !broken_) lib_.ssh_channel_poll(connection_.channel, 1);
        share_news();
        if (broken_ || (taken > 0 && !unsent())) break;
        co_await wait();
    }
    co_return open() && !broken_ ? taken : 0;
}

/// The reader flushes the bytes that stay in libssh when the kernel takes no more.
size_t SshStream::Core::write_at_once(std::string_view bytes) {
    if (!open() || broken_ || unsent()) return 0;
    const size_t taken = write_now(bytes);
    share_news();
    if (open() && unsent()) watch_socket();
    return taken;
}

awaitable<void> SshStream::Core::wait_for_exit_code() {
    const auto deadline = Clock::now() + ssh_exit_patience;
    while (open() && !exit_code_ && Clock::now() < deadline) {
        const int code = lib_.ssh_channel_get_exit_status(connection_.channel);
        drain_errors();
        let_go_of_closed_socket();
        if (code >= 0) exit_code_ = code;
        if (code >= 0 || !socket_.is_open() || lib_.ssh_channel_is_closed(connection_.channel) != 0)
            co_return;
        watch_socket();
        co_await changed_.wait_until(deadline);
    }
}

void SshStream::Core::close() noexcept {
    if (!open()) return;
    // A login shell that hangs before it gets to our command would not notice that we are gone.
    // sshd passes this on unless the user is root; nothing can be done where it does not.
    if (!spoken_ && !ended_) lib_.ssh_channel_request_send_signal(connection_.channel, "TERM");
    if (socket_.is_open()) socket_.release();  // the session closes it
    // Not ssh_disconnect(): it forgets a socket that was given to it, without closing it. The
    // channel sends its end before that.
    connection_.session.reset();
    changed_.notify();
}

SshStream::SshStream(const any_io_executor& executor, SshConnection connection)
    : core_(std::make_shared<Core>(executor, std::move(connection))) {}

SshStream::~SshStream() {
    core_->close();
}

awaitable<size_t> SshStream::read_some(std::span<char> buffer) {
    return core_->read_some(buffer);
}

awaitable<size_t> SshStream::write_some(std::span<const char> bytes) {
    return core_->write_some(bytes);
}

size_t SshStream::write_now(std::string_view bytes) {
    return core_->write_at_once(bytes);
}

void SshStream::close() noexcept {
    core_->close();
}

std::string SshStream::error_text() const {
    return core_->errors().text();
}

std::optional<int> SshStream::exit_code() const {
    return core_->exit_code();
}

}  // namespace launch
