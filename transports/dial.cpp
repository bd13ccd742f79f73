// SPDX-License-Identifier: MIT
#include "transports/dial.hpp"

#include <algorithm>
#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <vector>

#include "core/async/event.hpp"
#include "transports/start_error.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;

/// RFC 8305 asks for 100 to 250 ms: long enough that the other family stays unused where the
/// first one works.
constexpr milliseconds stagger(150);

/// The addresses as the resolver orders them (RFC 6724), the families taking turns.
std::vector<const addrinfo*> interleave(const addrinfo& list) {
    std::vector<const addrinfo*> first;
    std::vector<const addrinfo*> second;
    for (const addrinfo* at = &list; at != nullptr; at = at->ai_next)
        (at->ai_family == list.ai_family ? first : second).push_back(at);
    std::vector<const addrinfo*> order;
    for (size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
        if (i < first.size()) order.push_back(first[i]);
        if (i < second.size()) order.push_back(second[i]);
    }
    return order;
}

/// Connects to the addresses of one host. Shared with the handlers of its waits, which may run
/// after the race is over.
class Race : public std::enable_shared_from_this<Race> {
  public:
    Race(any_io_executor executor, std::vector<const addrinfo*> addresses)
        : executor_(std::move(executor)), addresses_(std::move(addresses)), changed_(executor_) {}

    awaitable<void> run(Clock::time_point deadline, std::stop_token stop) {
        while (!winner_ && !stop.stop_requested() && Clock::now() < deadline) {
            settle();
            if (winner_) break;
            if (next_ < addresses_.size() && (pending_.empty() || Clock::now() >= next_start_)) {
                start_next();
                continue;
            }
            if (pending_.empty() && next_ == addresses_.size()) break;
            const bool more = next_ < addresses_.size();
            co_await changed_.wait_until(more ? std::min(deadline, next_start_) : deadline);
        }
        timed_out_ = !pending_.empty();
        // Closing ends their waits; the handlers are the last to let go.
        std::error_code ignored;
        for (const auto& pending : pending_)
            pending->socket.close(ignored);
        pending_.clear();
    }

    void wake() { changed_.notify(); }
    UniqueFd take_winner() { return std::move(winner_); }

    StartFailure explain(uint16_t port, milliseconds timeout) const {
        if (error_ == ECONNREFUSED) return {start_error::refused(port), Retry::refused};
        if (timed_out_ || error_ == ETIMEDOUT || error_ == 0)
            return {start_error::no_answer(start_error::connect, timeout), Retry::no};
        if (error_ == EHOSTUNREACH || error_ == ENETUNREACH)
            return {start_error::no_route(), Retry::no};
        const Retry retry = error_ == ECONNRESET ? Retry::dropped : Retry::no;
        return {start_error::of_errno(start_error::connect, error_), retry};
    }

  private:
    struct Pending {
        Pending(const any_io_executor& executor, int fd) : socket(executor, fd) {}
        asio::posix::stream_descriptor socket;
        bool ready = false;
    };

    void start_next() {
        const addrinfo& to = *addresses_[next_++];
        next_start_ = Clock::now() + stagger;
        UniqueFd fd(::socket(to.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        if (!fd) return note(errno);
        if (::connect(fd.get(), to.ai_addr, to.ai_addrlen) == 0) {
            winner_ = std::move(fd);
        } else if (errno == EINPROGRESS) {
            wait_for(std::move(fd));
        } else {
            note(errno);
        }
    }

    void wait_for(UniqueFd fd) {
        auto pending = std::make_shared<Pending>(executor_, fd.release());
        pending_.push_back(pending);
        auto race = shared_from_this();
        auto done = [race, pending](std::error_code ec) {
            if (ec) return;
            pending->ready = true;
            race->wake();
        };
        pending->socket.async_wait(asio::posix::stream_descriptor::wait_write, done);
    }

    void settle() {
        for (auto at = pending_.begin(); at != pending_.end();) {
            if (!(*at)->ready) {
                ++at;
                continue;
            }
            UniqueFd fd((*at)->socket.release());
            at = pending_.erase(at);
            int error = 0;
            socklen_t size = sizeof error;
            ::getsockopt(fd.get(), SOL_SOCKET, SO_ERROR, &error, &size);
            if (error == 0) {
                winner_ = std::move(fd);
            } else {
                note(error);
                next_start_ = Clock::now();  // no reason to hold the next address back
            }
        }
    }

    /// Keeps the most informative of several addresses' failures: one in which a machine answered.
    void note(int error) {
        if (error_ == 0 || error == ECONNREFUSED) error_ = error;
    }

    any_io_executor executor_;
    std::vector<const addrinfo*> addresses_;
    Event changed_;
    size_t next_ = 0;
    Clock::time_point next_start_;
    std::vector<std::shared_ptr<Pending>> pending_;
    UniqueFd winner_;
    int error_ = 0;
    bool timed_out_ = false;
};

}  // namespace

awaitable<Dialled> dial(any_io_executor executor, const addrinfo& addresses, uint16_t port,
                        milliseconds timeout, std::stop_token stop) {
    auto race = std::make_shared<Race>(executor, interleave(addresses));
    auto give_up = [executor, race] { asio::post(executor, [race] { race->wake(); }); };
    const std::stop_callback stopped(stop, give_up);
    co_await race->run(Clock::now() + timeout, stop);
    Dialled dialled;
    dialled.socket = race->take_winner();
    if (dialled.socket) {
        const int on = 1;
        ::setsockopt(dialled.socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    } else {
        dialled.failure = race->explain(port, timeout);
    }
    co_return dialled;
}

}  // namespace launch
