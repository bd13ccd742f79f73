// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "core/async/event.hpp"
#include "core/base/fd.hpp"
#include "core/transport.hpp"

namespace launch {

/// A ByteStream over file descriptors of our own (pipes, socket pairs), made non-blocking.
class FdStream : public ByteStream {
  public:
    /// `in` is read, `out` written.
    FdStream(any_io_executor executor, UniqueFd in, UniqueFd out);
    /// Over one socket.
    FdStream(any_io_executor executor, UniqueFd socket);
    FdStream(const FdStream&) = delete;
    FdStream& operator=(const FdStream&) = delete;

    awaitable<size_t> read_some(std::span<char> buffer) override;
    awaitable<size_t> write_some(std::span<const char> bytes) override;
    size_t write_now(std::string_view bytes) override;
    void close() noexcept override;

  private:
    asio::posix::stream_descriptor in_;
    std::optional<asio::posix::stream_descriptor> second_;
    asio::posix::stream_descriptor& out_;
};

}  // namespace launch
