// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/base/fd.hpp"
#include "transports/ssh/attempt.hpp"
#include "transports/ssh/host_config.hpp"
#include "transports/ssh/host_keys.hpp"
#include "transports/ssh/libssh.hpp"
#include "transports/start_failure.hpp"

namespace launch {

/// A session in which the command runs. Non-blocking from here on.
struct SshConnection {
    std::shared_ptr<const LibSsh> lib;
    SessionPtr session;
    ssh_channel channel = nullptr;  ///< belongs to the session
    int fd = -1;                    ///< belongs to the session
};

struct HandshakeResult {
    std::optional<SshConnection> connection;
    StartFailure failure;
    /// Not empty: OpenSSH's client may succeed where we did not, for this reason.
    std::string needs_openssh;
    std::string note;  ///< for a curious user: a key that was accepted unknown
};

struct HandshakeRequest {
    const HostConfig& config;
    std::string home;  ///< where default keys live
    bool accept_new_keys = false;
    std::string command;  ///< for the remote login shell
    std::chrono::milliseconds timeout{};
};

/// From a TCP connection to a running command: keys are exchanged, the host is verified, the user
/// authenticated, never with a prompt. Blocks: for the pool; `attempt` tells the stage and ends
/// it. A failure after the attempt was given up is the caller's to word.
HandshakeResult shake_hands(std::shared_ptr<const LibSsh> lib, const HandshakeRequest& request,
                            UniqueFd socket, KnownHostsFiles& known_hosts, Attempt& attempt);

}  // namespace launch
