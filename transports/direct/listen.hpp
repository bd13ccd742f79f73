// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.hpp"
#include "core/base/fd.hpp"
#include "core/job/link_choice.hpp"

namespace launch {

struct Listener {
    UniqueFd socket;  ///< non-blocking, close-on-exec
    uint16_t port = 0;
};

/// A TCP socket that listens on the first free port of the range, for IPv6 and IPv4 alike;
/// `this_machine`: on the loopback address only.
Result<Listener> listen_on(PortRange ports, bool this_machine);

}  // namespace launch
