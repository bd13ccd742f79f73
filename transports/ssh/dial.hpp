#pragma once

#include <chrono>
#include <memory>
#include <netdb.h>
#include <stop_token>

#include "core/async/asio.hpp"
#include "core/base/fd.hpp"
#include "transports/ssh/host_config.hpp"
#include "transports/start_failure.hpp"

namespace launch {

struct AddressesDeleter {
    void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
/// The addresses of a host, never an empty list; or null.
using Addresses = std::unique_ptr<addrinfo, AddressesDeleter>;

/// Looks the host's name up. Blocks: for the pool. Asks DNS to keep to `patience`.
Addresses look_up(const HostConfig& config, std::chrono::milliseconds patience,
                  StartFailure& failure);

/// A TCP connection, or why there is none.
struct Dialled {
    UniqueFd socket;  ///< non-blocking, TCP_NODELAY, close-on-exec
    StartFailure failure;
};

/// Connects to the addresses, IPv6 and IPv4 taking turns, each a little after the one before;
/// the first that answers wins (RFC 8305). Gives up after `timeout` or when `stop` says so.
awaitable<Dialled> dial(any_io_executor executor, const addrinfo& addresses, uint16_t port,
                        std::chrono::milliseconds timeout, std::stop_token stop);

}  // namespace launch
