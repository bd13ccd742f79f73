// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "transports/ssh/openssh_proxy.hpp"
#include "transports/start_error.hpp"
#include "transports/start_failure.hpp"

namespace launch {

/// What the words of OpenSSH's client depend on.
struct OpensshContext {
    std::string host_name;
    uint16_t port = 22;
    std::chrono::milliseconds connect_timeout{};
    start_error::RefusedLogin login{};  ///< for a refused login; user and methods are in the words
    OpensshProxy proxy{};
};

/// The line says that a server refused the login: "[USER@HOST: ]Permission denied (METHODS)." What
/// other programs say of files is no such line.
bool is_refusal(std::string_view line);

/// Whether these are the words of a refused login, which are told with the keys that were tried.
bool is_refused_login(std::string_view stderr_text);

/// What OpenSSH's client said before it ended with 255, in the stages, causes and hints of our
/// own ssh transport where the words say so, else its last words themselves. Pure.
StartFailure read_openssh_error(std::string_view stderr_text, const OpensshContext& context);

}  // namespace launch
