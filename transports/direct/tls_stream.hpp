// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/fd.hpp"
#include "core/transport.hpp"
#include "transports/direct/tls.hpp"

namespace launch {

/// A direct link's bytes: TLS over a TCP socket.
class TlsStream : public ByteStream {
  public:
    TlsStream(any_io_executor executor, UniqueFd socket, std::unique_ptr<TlsSession> session);

    awaitable<size_t> read_some(std::span<char> buffer) override;
    awaitable<size_t> write_some(std::span<const char> bytes) override;
    size_t write_now(std::string_view bytes) override;
    void close() noexcept override;

    /// False: the other side is none of ours, or gone.
    awaitable<bool> handshake();
    /// Bytes that the other side does not take for so long break the stream.
    void limit_stall(std::chrono::milliseconds limit);
    const TlsCall& call() const { return session_->call(); }

  private:
    awaitable<bool> receive();
    awaitable<bool> writable(TlsSession::Step step);
    awaitable<bool> wait_for(TlsSession::Step step);

    asio::generic::stream_protocol::socket socket_;
    std::unique_ptr<TlsSession> session_;
};

}  // namespace launch
