// SPDX-License-Identifier: MIT
#include "core/io/blocking_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <pthread.h>
#include <system_error>
#include <unistd.h>

namespace launch {
namespace {

constexpr size_t queue_limit = 1u << 20;
constexpr std::chrono::milliseconds drain_check{100};
/// After give_up(): a reader that is there takes what is queued in this time.
constexpr std::chrono::milliseconds last_chance{200};
/// The signal may have come just before the wait that it was to end.
constexpr std::chrono::milliseconds wake_again{1};
/// Ignored by default, so nobody else waits for it: its handler only makes write(2) return.
constexpr int wake_signal = SIGURG;

void install_wake_handler() {
    struct sigaction action {};
    action.sa_handler = [](int) {};
    sigaction(wake_signal, &action, nullptr);
}

}  // namespace

BlockingWriter::BlockingWriter(any_io_executor executor, int fd)
    : executor_(executor), fd_(fd), progress_(executor) {}

BlockingWriter::~BlockingWriter() {
    if (!thread_.joinable()) return;
    {
        std::unique_lock lock(mutex_);
        stop_asked_ = true;
        work_.notify_one();
        while (writing_ != Writing::ended) {
            pthread_kill(thread_.native_handle(), wake_signal);
            leaving_.wait_for(lock, wake_again);
        }
    }
    thread_.join();
}

void BlockingWriter::write_now(std::string bytes) {
    if (error_ != 0 || bytes.empty()) return;
    {
        const std::lock_guard lock(mutex_);
        queue_.append(bytes);
        waiting_ = queue_.size();
    }
    if (thread_.joinable() || start_thread())
        work_.notify_one();
    else
        write_here();
}

/// False: the system refuses it. The next bytes ask again.
bool BlockingWriter::start_thread() {
    install_wake_handler();
    try {
        thread_ = std::thread([this] { write_loop(); });
        return true;
    } catch (const std::system_error&) {
        return false;
    }
}

/// While there is no thread.
void BlockingWriter::write_here() {
    write_all(std::exchange(queue_, {}));
    error_ = failed_;
    waiting_ = 0;
}

awaitable<bool> BlockingWriter::write(std::string bytes) {
    // All that follows, too: what is written is to end early rather than to have a hole.
    if (patience_ == Patience::gave_up && waiting_ > queue_limit) patience_ = Patience::drops;
    if (patience_ == Patience::drops) co_return error_ == 0;
    write_now(std::move(bytes));
    while (waiting_ > queue_limit && error_ == 0 && patience_ == Patience::waits)
        co_await progress_.wait();
    co_return error_ == 0;
}

awaitable<void> BlockingWriter::drain() {
    auto last_moment = Clock::time_point::max();
    for (;;) {
        {
            const std::lock_guard lock(mutex_);
            if (failed_ != 0 || (queue_.empty() && writing_ != Writing::a_batch)) break;
        }
        const auto now = Clock::now();
        if (patience_ != Patience::waits) last_moment = std::min(last_moment, now + last_chance);
        if (now >= last_moment) break;
        co_await progress_.wait_until(std::min(last_moment, now + drain_check));
    }
}

void BlockingWriter::give_up() {
    if (patience_ == Patience::waits) patience_ = Patience::gave_up;
    progress_.notify();
}

/// Waits where somebody else made the shared descriptor non-blocking. A signal ends it, too.
void BlockingWriter::wait_for_room() const {
    pollfd room{fd_, POLLOUT, 0};
    poll(&room, 1, -1);
}

void BlockingWriter::write_all(const std::string& bytes) {
    size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t n = ::write(fd_, bytes.data() + done, bytes.size() - done);
        const int error = n < 0 ? errno : 0;
        if (n > 0) done += static_cast<size_t>(n);
        if (error == EAGAIN) wait_for_room();
        if (error == 0) continue;
        const std::lock_guard lock(mutex_);
        if (error != EAGAIN && error != EINTR) failed_ = error;
        if (stop_asked_ || failed_ != 0) return;
    }
}

void BlockingWriter::write_loop() {
    // Signals of the process are for the thread that runs the io_context.
    sigset_t all;
    sigfillset(&all);
    sigdelset(&all, wake_signal);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
    std::unique_lock lock(mutex_);
    while (!stop_asked_ && failed_ == 0) {
        if (queue_.empty()) {
            work_.wait(lock);
            continue;
        }
        const std::string batch = std::exchange(queue_, {});
        writing_ = Writing::a_batch;
        lock.unlock();
        write_all(batch);
        lock.lock();
        writing_ = Writing::nothing;
        if (stop_asked_) break;
        asio::post(executor_, [this, failed = failed_, left = queue_.size()] {
            error_ = failed;
            waiting_ = left;
            progress_.notify();
        });
    }
    writing_ = Writing::ended;
    leaving_.notify_one();
}

}  // namespace launch
