#pragma once

#include <string>

#include "transports/ssh/attempt.hpp"
#include "transports/ssh/host_config.hpp"
#include "transports/ssh/libssh.hpp"

namespace launch {

struct Authentication {
    enum class Result : unsigned char { accepted, denied, connection_lost };

    Result result = Result::denied;
    std::string offered;        ///< for denied: the methods that the server would take
    std::string needs_openssh;  ///< for denied: what the user has that only OpenSSH can use
};

/// Public keys only: those in files that need no passphrase first, each with its signature at
/// once (a round trip less), then the agent's. Blocks.
Authentication authenticate(const LibSsh& lib, ssh_session session, const HostConfig& config,
                            const std::string& home, Attempt& attempt);

}  // namespace launch
