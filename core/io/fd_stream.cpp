// SPDX-License-Identifier: MIT
#include "core/io/fd_stream.hpp"

namespace launch {

FdStream::FdStream(any_io_executor executor, UniqueFd in, UniqueFd out)
    : in_(executor, in.release()),
      second_(std::in_place, executor, out.release()),
      out_(*second_) {}

FdStream::FdStream(any_io_executor executor, UniqueFd socket)
    : in_(std::move(executor), socket.release()), out_(in_) {}

awaitable<size_t> FdStream::read_some(std::span<char> buffer) {
    if (!in_.is_open()) co_return 0;
    std::error_code ec;
    auto token = asio::redirect_error(asio::use_awaitable, ec);
    const size_t n =
        co_await in_.async_read_some(asio::buffer(buffer.data(), buffer.size()), token);
    co_return ec ? 0 : n;
}

awaitable<size_t> FdStream::write_some(std::span<const char> bytes) {
    if (!out_.is_open()) co_return 0;
    std::error_code ec;
    auto token = asio::redirect_error(asio::use_awaitable, ec);
    const size_t n =
        co_await out_.async_write_some(asio::buffer(bytes.data(), bytes.size()), token);
    co_return ec ? 0 : n;
}

size_t FdStream::write_now(std::string_view bytes) {
    if (!out_.is_open()) return 0;
    std::error_code ec;
    out_.non_blocking(true, ec);
    if (ec) return 0;
    const size_t n = out_.write_some(asio::buffer(bytes.data(), bytes.size()), ec);
    return ec ? 0 : n;
}

void FdStream::close() noexcept {
    std::error_code ignored;
    in_.close(ignored);
    out_.close(ignored);
}

}  // namespace launch
