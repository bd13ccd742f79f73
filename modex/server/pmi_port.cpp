// SPDX-License-Identifier: MIT
#include "modex/server/pmi_port.hpp"

#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>

#include "modex/pmi/pmi_front.hpp"
#include "modex/server/loopback.hpp"
#include "modex/server/peer_user.hpp"

namespace launch {
namespace {

/// Clients send their first line as soon as they are connected.
constexpr std::chrono::milliseconds first_line_limit{5000};
/// Beyond the ranks, who may all connect at once.
constexpr size_t most_others = 64;
/// At one time, so that who connects without pause does not stop everything else.
constexpr int most_at_once = 64;
/// Where no descriptor is to be had: until it is tried again.
constexpr std::chrono::milliseconds accept_pause{100};

/// A process of this user or of root, as a rank under sudo is.
bool is_welcome(std::optional<uid_t> user) {
    return user && (*user == geteuid() || *user == 0);
}

}  // namespace

PmiPort::PmiPort(any_io_executor executor, PmiPortHandler& handler)
    : executor_(executor),
      handler_(handler),
      listener_(executor),
      changed_(executor),
      tasks_(executor) {}

Status PmiPort::open() {
    auto listener = listen_on_loopback();
    if (!listener) return std::move(listener.error());
    port_ = listener->port;
    listener_.assign(listener->socket.release());
    tasks_.spawn(listen());
    tasks_.spawn(keep_time());
    return Ok{};
}

void PmiPort::forget(uint32_t rank) {
    if (!is_open()) return;
    admit_all();
    for (auto guest = guests_.begin(); guest != guests_.end();)
        hear(guest++);
    ids_.remove(rank);
}

awaitable<void> PmiPort::close() {
    std::error_code ignored;
    listener_.close(ignored);
    for (Guest& guest : guests_)
        guest.socket.close(ignored);
    gone_.splice(gone_.end(), guests_);
    changed_.notify();
    co_await tasks_.join();
}

awaitable<void> PmiPort::listen() {
    while (listener_.is_open()) {
        std::error_code ec;
        auto token = asio::redirect_error(asio::use_awaitable, ec);
        co_await listener_.async_wait(asio::posix::stream_descriptor::wait_read, token);
        if (!listener_.is_open()) break;
        if (!admit_all()) co_await changed_.wait_until(Clock::now() + accept_pause);
    }
}

/// False: who waits cannot be admitted now.
bool PmiPort::admit_all() {
    for (int i = 0; i < most_at_once; ++i) {
        UniqueFd socket = accept_on_loopback(listener_.native_handle());
        if (socket) {
            admit(std::move(socket));
        } else if (errno != EINTR && errno != ECONNABORTED) {
            return errno == EAGAIN;
        }
    }
    return true;
}

void PmiPort::admit(UniqueFd socket) {
    // At once, so that nobody else can push out a rank that has not spoken yet, or guess its id.
    const auto user = peer_user(socket.get());
    // A rank that was killed just then has left too: it was refused nothing.
    if (user == gone_user) return;
    if (!is_welcome(user)) {
        ++refused_;
        return;
    }
    if (guests_.size() >= ids_.size() + most_others) refuse(guests_.begin());
    const auto deadline = Clock::now() + first_line_limit;
    asio::posix::stream_descriptor stream(executor_, socket.release());
    guests_.push_back({std::move(stream), deadline, {}});
    const auto guest = std::prev(guests_.end());
    tasks_.spawn(attend(guest));
    changed_.notify();
    hear(guest);  // before the next who comes could push it out
}

awaitable<void> PmiPort::attend(Guests::iterator guest) {
    while (guest->socket.is_open()) {
        std::error_code ec;
        auto token = asio::redirect_error(asio::use_awaitable, ec);
        co_await guest->socket.async_wait(asio::posix::stream_descriptor::wait_read, token);
        if (guest->socket.is_open()) hear(guest);
    }
    gone_.erase(guest);
}

awaitable<void> PmiPort::keep_time() {
    while (listener_.is_open()) {
        while (!guests_.empty() && guests_.front().deadline <= Clock::now())
            refuse(guests_.begin());
        const auto next = guests_.empty() ? Clock::time_point::max() : guests_.front().deadline;
        co_await changed_.wait_until(next);
    }
}

void PmiPort::hear(Guests::iterator guest) {
    char bytes[512];
    const ssize_t n = recv(guest->socket.native_handle(), bytes, sizeof bytes, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    // Without a word it was refused nothing: a rank that was killed just then, or somebody who
    // looks whether the port is open.
    if (n <= 0) return guest->said.empty() ? dismiss(guest) : refuse(guest);
    guest->said.append(bytes, static_cast<size_t>(n));
    const auto id = parse_initack(guest->said);
    if (!id) return refuse(guest);
    if (!id->has_value()) return;  // not whole yet
    const auto rank = ids_.find(**id);
    if (!rank) return refuse(guest);
    receive(guest, **id, *rank);
}

void PmiPort::receive(Guests::iterator guest, uint32_t id, uint32_t rank) {
    gone_.splice(gone_.end(), guests_, guest);
    UniqueFd socket(guest->socket.release());
    if (!handler_.came({rank, id, std::move(socket), std::move(guest->said)})) ++refused_;
}

void PmiPort::refuse(Guests::iterator guest) {
    ++refused_;
    dismiss(guest);
}

void PmiPort::dismiss(Guests::iterator guest) {
    gone_.splice(gone_.end(), guests_, guest);
    std::error_code ignored;
    guest->socket.close(ignored);
}

}  // namespace launch
