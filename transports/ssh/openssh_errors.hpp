// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "transports/ssh/openssh_proxy.hpp"
#include "transports/start_error.hpp"
#include "transports/start_failure.hpp"

namespace launch {

/// Facts on which the messages of OpenSSH's client depend.
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

/// Whether this is the message of a refused login, which is reported with the keys that were tried.
bool is_refused_login(std::string_view stderr_text);

/// The last message of OpenSSH's client before it ended with 255, in the stages, causes and hints
/// of our own ssh transport if it is recognized, else its last words themselves. Pure.
StartFailure read_openssh_error(std::string_view stderr_text, const OpensshContext& context);

}  // namespace launch
