// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "transports/ssh/agent.hpp"
#include "transports/ssh/host_config.hpp"
#include "transports/ssh/key_file.hpp"
#include "transports/start_error.hpp"

namespace launch {

/// The keys for a login, in the order in which OpenSSH tries them: those of the agent that the
/// config names, the agent's others (but with IdentitiesOnly), then those that only files have.
struct LoginKeys {
    std::vector<AgentKey> of_agent;
    std::vector<std::string> files;
    std::vector<std::string> locked;   ///< encrypted files whose key no agent has
    std::vector<std::string> exposed;  ///< files that are not used, as others may read them
    bool agent_answers = false;
    int no_descriptors = 0;  ///< errno of the first file that no descriptor was left for; 0: none
};

/// `of_agent`: nothing where no agent answers. Pure.
LoginKeys order_login_keys(const std::vector<KeyFile>& files,
                           const std::optional<std::vector<AgentKey>>& of_agent,
                           bool identities_only);

/// The keys that this machine has for the login; asks the agent, which is at `agent_fd` if any.
/// Blocks.
LoginKeys find_login_keys(const HostConfig& config, int agent_fd, AgentPatience patience = {});

// Names of keys in messages. Pure.
std::string key_name(const AgentKey& key);
std::string key_name(const std::string& path, const std::string& home);

/// The error of a login for which all of these keys were tried in vain.
start_error::RefusedLogin refused_login(const LoginKeys& keys, const HostConfig& config,
                                        const std::string& home);

}  // namespace launch
