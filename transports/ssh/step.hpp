// SPDX-License-Identifier: MIT
#pragma once

#include "transports/ssh/attempt.hpp"
#include "transports/ssh/libssh.hpp"

namespace launch {

/// Waits until a step of libssh that is not done, in non-blocking mode, can go on. False: the
/// connection is gone, or the attempt was given up. (libssh's own waiting looks at an agent's
/// socket as well, and so goes on after the connection's end.)
bool wait_for_server(const LibSsh& lib, ssh_session session, const Attempt& attempt);

}  // namespace launch
