// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <netdb.h>
#include <stop_token>

#include "core/async/asio.hpp"
#include "core/base/fd.hpp"
#include "transports/start_failure.hpp"

namespace launch {

/// A TCP connection, or the reason why it failed.
struct Dialled {
    UniqueFd socket;  ///< non-blocking, TCP_NODELAY, close-on-exec
    StartFailure failure;
};

/// Connects to the addresses, IPv6 and IPv4 taking turns, each a little after the one before;
/// the first that answers wins (RFC 8305). Gives up after `timeout` or when `stop` says so.
awaitable<Dialled> dial(any_io_executor executor, const addrinfo& addresses, uint16_t port,
                        std::chrono::milliseconds timeout, std::stop_token stop);

}  // namespace launch
