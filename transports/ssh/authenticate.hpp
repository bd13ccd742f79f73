// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "transports/ssh/attempt.hpp"
#include "transports/ssh/host_config.hpp"
#include "transports/ssh/libssh.hpp"
#include "transports/start_error.hpp"

namespace launch {

struct Authentication {
    enum class Result : unsigned char { accepted, denied, connection_lost, no_descriptors };

    Result result = Result::denied;
    int no_descriptors = 0;           ///< errno: a key or the agent was not tried for want of them
    start_error::RefusedLogin login;  ///< unless it was accepted
    std::string needs_openssh;        ///< for denied: what the user has that only OpenSSH can use
};

/// Public keys only, as LoginKeys orders them; those in files each with its signature at once (a
/// round trip less). Returns when it is decided, though the session itself is in non-blocking mode;
/// asks nobody for a passphrase.
Authentication authenticate(const LibSsh& lib, ssh_session session, const HostConfig& config,
                            const std::string& home, Attempt& attempt);

}  // namespace launch
