// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "transports/ssh/host_config.hpp"
#include "transports/start_failure.hpp"

namespace launch {

/// What the ssh config has between this machine and a host, and which OpenSSH's client runs as
/// another process: the proxy's words and the client's are in one text.
struct OpensshProxy {
    std::string name;  ///< for messages; empty: there is none
    std::vector<std::string>
        jumps;  ///< hosts of ProxyJump, in their order: the last reaches the host
};

OpensshProxy proxy_of(const HostConfig& config);

/// What the client said of a host that it did not reach since the proxy failed: the error names the
/// jump host that is at fault, where the words tell. Nothing: the proxy did not fail, and the words
/// are about the host itself. Pure.
std::optional<StartFailure> read_proxy_error(std::string_view stderr_text,
                                             const OpensshProxy& proxy,
                                             std::chrono::milliseconds connect_timeout);

}  // namespace launch
