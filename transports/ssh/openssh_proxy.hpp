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

/// The proxy that the ssh config puts between this machine and a host, and that OpenSSH's client
/// runs as another process: messages of the proxy and of the client are in one text.
struct OpensshProxy {
    std::string name;  ///< for messages; empty: no proxy
    std::vector<std::string>
        jumps;  ///< hosts of ProxyJump, in their order: the last reaches the host
};

OpensshProxy proxy_of(const HostConfig& config);

/// Reads the client's messages about a host that it did not reach because the proxy failed: the
/// error names the jump host at fault, if the messages do. Nothing: the proxy did not fail, and the
/// messages are about the host itself. Pure.
std::optional<StartFailure> read_proxy_error(std::string_view stderr_text,
                                             const OpensshProxy& proxy,
                                             std::chrono::milliseconds connect_timeout);

}  // namespace launch
