// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "core/async/event.hpp"
#include "core/transport.hpp"
#include "transports/ssh/handshake.hpp"
#include "transports/tail_text.hpp"

namespace launch {

/// The standard streams of a command that runs in an ssh session.
///
/// libssh reads packets for both directions in whatever call comes next, so a call for one side
/// may have what the other waits for, with nothing left to read on the socket. Hence one rule:
/// whoever called libssh wakes the other side if bytes came in, and both sides wait for the same
/// event, which the socket's readiness notifies, too.
class SshStream : public ByteStream {
  public:
    SshStream(const any_io_executor& executor, SshConnection connection);
    ~SshStream() override;
    SshStream(const SshStream&) = delete;
    SshStream& operator=(const SshStream&) = delete;

    awaitable<size_t> read_some(std::span<char> buffer) override;
    awaitable<size_t> write_some(std::span<const char> bytes) override;
    size_t write_now(std::string_view bytes) override;
    void close() noexcept override;
    std::string error_text() const override;
    std::optional<int> exit_code() const override;

  private:
    class Core;
    std::shared_ptr<Core> core_;
};

}  // namespace launch
