// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "core/async/event.hpp"
#include "core/base/fd.hpp"
#include "core/transport.hpp"

namespace launch {

/// A ByteStream over file descriptors of our own (pipes, socket pairs), made non-blocking.
class FdStream : public ByteStream {
  public:
    /// `in` is read, `out` written.
    FdStream(any_io_executor executor, UniqueFd in, UniqueFd out);

    awaitable<size_t> read_some(std::span<char> buffer) override;
    awaitable<size_t> write_some(std::span<const char> bytes) override;
    size_t write_now(std::string_view bytes) override;
    void close() noexcept override;

  private:
    asio::posix::stream_descriptor in_;
    asio::posix::stream_descriptor out_;
};

/// Over one socket.
std::unique_ptr<ByteStream> stream_of(any_io_executor executor, UniqueFd socket);

}  // namespace launch
