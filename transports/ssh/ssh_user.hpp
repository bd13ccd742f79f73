// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace launch {

/// The facts about the user that the ssh config's tokens, file names and defaults need.
struct SshUser {
    std::string name;
    std::string home;
    unsigned uid = 0;
    std::string agent;  ///< SSH_AUTH_SOCK
    /// The home of another user; nothing: there is no such user.
    std::function<std::optional<std::string>(const std::string& user)> home_of = {};
    /// An environment variable; nothing: it is not set.
    std::function<std::optional<std::string>(const std::string& name)> variable = {};
};

/// The user who runs this program, as OpenSSH sees it: home and name come from the user database.
SshUser current_ssh_user();

}  // namespace launch
