// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/base/error.hpp"
#include "core/base/fd.hpp"

namespace launch {

/// Sockets between processes of this machine: 127.0.0.1. All are close-on-exec and do not block.

struct LoopbackListener {
    UniqueFd socket;
    uint16_t port = 0;
};

/// At a port that is free.
Result<LoopbackListener> listen_on_loopback();

/// Accepts the next caller. Invalid: no caller now (EAGAIN), or accept4's errno.
UniqueFd accept_on_loopback(int listener);

/// A connection on its way: when the socket can be written, connect_error() says how it went.
Result<UniqueFd> connect_to_loopback(uint16_t port);
/// An errno; 0: connected.
int connect_error(int socket);

}  // namespace launch
