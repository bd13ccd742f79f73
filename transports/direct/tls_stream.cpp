// SPDX-License-Identifier: MIT
#include "transports/direct/tls_stream.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace launch {

using Step = TlsSession::Step;

TlsStream::TlsStream(any_io_executor executor, UniqueFd socket, std::unique_ptr<TlsSession> session)
    : socket_(executor, asio::generic::stream_protocol(AF_UNSPEC, IPPROTO_TCP), socket.release()),
      session_(std::move(session)) {}

awaitable<bool> TlsStream::receive() {
    std::error_code ec;
    auto token = asio::redirect_error(asio::use_awaitable, ec);
    const auto span = session_->room();
    auto room = asio::buffer(span.data(), span.size());
    const size_t n = co_await socket_.async_read_some(room, token);
    if (ec || !socket_.is_open()) co_return false;
    session_->fill(n);
    co_return true;
}

/// Until the step can be taken again. False: it never will.
awaitable<bool> TlsStream::wait_for(Step step) {
    return step == Step::readable ? receive() : writable(step);
}

awaitable<bool> TlsStream::writable(Step step) {
    if (step == Step::failed || !socket_.is_open()) co_return false;
    std::error_code ec;
    auto token = asio::redirect_error(asio::use_awaitable, ec);
    co_await socket_.async_wait(asio::socket_base::wait_write, token);
    co_return !ec && socket_.is_open();
}

awaitable<bool> TlsStream::handshake() {
    Step step = session_->handshake();
    while (step != Step::done) {
        const bool again = co_await wait_for(step);
        if (!again) co_return false;
        step = session_->handshake();
    }
    co_return true;
}

awaitable<size_t> TlsStream::read_some(std::span<char> buffer) {
    size_t count = 0;
    while (socket_.is_open()) {
        const Step step = session_->read(buffer.data(), buffer.size(), count);
        if (step == Step::done) break;
        const bool again = co_await wait_for(step);
        if (!again) co_return 0;
    }
    co_return count;
}

awaitable<size_t> TlsStream::write_some(std::span<const char> bytes) {
    size_t count = 0;
    while (socket_.is_open()) {
        const Step step = session_->write(bytes.data(), bytes.size(), count);
        if (step == Step::done) break;
        if (step == Step::readable)
            co_return 0;  // the reader's business; TLS 1.3 wants no such thing
        const bool again = co_await wait_for(step);
        if (!again) co_return 0;
    }
    co_return count;
}

size_t TlsStream::write_now(std::string_view bytes) {
    size_t count = 0;
    if (socket_.is_open()) session_->write(bytes.data(), bytes.size(), count);
    return count;
}

void TlsStream::close() noexcept {
    std::error_code ignored;
    socket_.close(ignored);
}

void TlsStream::limit_stall(std::chrono::milliseconds limit) {
    const auto ms = static_cast<unsigned>(limit.count());
    setsockopt(socket_.native_handle(), IPPROTO_TCP, TCP_USER_TIMEOUT, &ms, sizeof ms);
}

}  // namespace launch
