// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <memory>
#include <netdb.h>
#include <stop_token>

#include "core/async/detached_pool.hpp"
#include "transports/ssh/host_config.hpp"
#include "transports/start_failure.hpp"

namespace launch {

struct AddressesDeleter {
    void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
/// The addresses of a host, never an empty list; or null.
using Addresses = std::unique_ptr<addrinfo, AddressesDeleter>;

/// The addresses of a host, or the reason why they are not known.
struct LookUp {
    Addresses addresses;
    StartFailure failure;
};

/// Looks the host's name up, in the pool: the system's call may hang for good and nothing can
/// interrupt it. It is waited for no longer than `patience` or until `stop`.
awaitable<LookUp> look_up(DetachedPool& pool, HostConfig config, std::chrono::milliseconds patience,
                          std::stop_token stop);

}  // namespace launch
