// SPDX-License-Identifier: MIT
#include "modex/server/rank_session.hpp"

#include <cerrno>
#include <sys/socket.h>

namespace launch {
namespace {

/// More than a socket holds; what a rank's children still write has no end.
constexpr size_t most_drained = 4u << 20;

}  // namespace

RankSession::RankSession(any_io_executor executor, uint32_t rank, UniqueFd socket,
                         std::unique_ptr<Front> front, SessionHandler& handler)
    : rank_(rank),
      socket_(executor, asio::generic::stream_protocol(AF_UNSPEC, 0), socket.release()),
      front_(std::move(front)),
      handler_(handler),
      tasks_(executor) {
    socket_.non_blocking(true);
}

void RankSession::take(std::string_view bytes) {
    spoke_ = true;
    handler_.heard(rank_, bytes);
    front_->feed(bytes);
    serve();
}

void RankSession::serve() {
    for (;;) {
        auto request = front_->next();
        if (!request) {
            flush();
            stage_ = Stage::broken;
            handler_.broken(rank_, request.error());
            return;
        }
        if (!request->has_value()) break;
        handler_.request(rank_, std::move(**request));
    }
    flush();
}

awaitable<void> RankSession::run() {
    running_ = true;
    std::string buffer(4096, '\0');
    while (socket_.is_open() && stage_ != Stage::broken) {
        std::error_code ec;
        auto token = asio::redirect_error(asio::use_awaitable, ec);
        auto room = asio::buffer(buffer);
        const size_t n = co_await socket_.async_read_some(room, token);
        if (!socket_.is_open()) break;
        if (ec) {
            stage_ = Stage::hung_up;
            handler_.hung_up(rank_);
            break;
        }
        take({buffer.data(), n});
        handler_.served();
        // No more questions are read from a rank that does not read the answers.
        if (writing_) co_await tasks_.join();
    }
    co_await tasks_.join();
    running_ = false;
}

void RankSession::drain() {
    char buffer[4096];
    for (size_t taken = 0; socket_.is_open() && stage_ != Stage::broken && taken < most_drained;) {
        const ssize_t n = recv(socket_.native_handle(), buffer, sizeof buffer, MSG_DONTWAIT);
        if (n < 0 && errno == EINTR) continue;
        if (n == 0 || (n < 0 && errno != EAGAIN)) stage_ = Stage::hung_up;
        if (n <= 0) return;
        taken += static_cast<size_t>(n);
        take({buffer, static_cast<size_t>(n)});
    }
}

void RankSession::reply(uint64_t ticket, const Reply& reply) {
    if (!socket_.is_open() || stage_ == Stage::broken) return;
    front_->reply(ticket, reply);
    serve();  // a rank may have asked more than one thing in one breath
}

void RankSession::flush() {
    std::string bytes = front_->take_output();
    if (!bytes.empty()) handler_.told(rank_, bytes);
    output_ += bytes;
    write_some();
}

void RankSession::write_some() {
    while (!output_.empty() && socket_.is_open()) {
        const ssize_t n = send(socket_.native_handle(), output_.data(), output_.size(),
                               MSG_DONTWAIT | MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            if (!std::exchange(writing_, true)) tasks_.spawn(write_rest());
            return;
        }
        if (n <= 0) {
            output_.clear();  // it hung up; its reader sees that
            return;
        }
        output_.erase(0, static_cast<size_t>(n));
    }
}

awaitable<void> RankSession::write_rest() {
    while (!output_.empty() && socket_.is_open()) {
        std::error_code ec;
        auto token = asio::redirect_error(asio::use_awaitable, ec);
        co_await socket_.async_wait(asio::socket_base::wait_write, token);
        if (ec) break;
        write_some();
    }
    writing_ = false;
}

void RankSession::close() {
    std::error_code ignored;
    socket_.close(ignored);
}

}  // namespace launch
