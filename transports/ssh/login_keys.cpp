// SPDX-License-Identifier: MIT
#include "transports/ssh/login_keys.hpp"

#include <algorithm>
#include <iterator>

namespace launch {

LoginKeys order_login_keys(const std::vector<KeyFile>& files,
                           const std::optional<std::vector<AgentKey>>& of_agent,
                           bool identities_only) {
    LoginKeys keys;
    keys.agent_answers = of_agent.has_value();
    const auto all = of_agent.value_or(std::vector<AgentKey>());
    const auto is_named = [&](const AgentKey& key) {
        return std::any_of(files.begin(), files.end(),
                           [&](const KeyFile& file) { return file.public_key == key.public_key; });
    };
    const auto has = [&](const std::string& public_key) {
        return std::any_of(all.begin(), all.end(),
                           [&](const AgentKey& key) { return key.public_key == public_key; });
    };
    std::copy_if(all.begin(), all.end(), std::back_inserter(keys.of_agent), is_named);
    if (!identities_only)
        std::copy_if(all.begin(), all.end(), std::back_inserter(keys.of_agent),
                     [&](const AgentKey& key) { return !is_named(key); });
    for (const auto& file : files) {
        if (has(file.public_key)) continue;
        if (file.state == KeyFile::State::open) keys.files.push_back(file.path);
        if (file.state == KeyFile::State::locked) keys.locked.push_back(file.path);
        if (file.state == KeyFile::State::exposed) keys.exposed.push_back(file.path);
    }
    return keys;
}

LoginKeys find_login_keys(const HostConfig& config, int agent_fd, AgentPatience patience) {
    std::vector<KeyFile> files;
    int no_descriptors = 0;
    for (const auto& path : config.identity_files)
        files.push_back(read_key_file(path, no_descriptors));
    std::optional<std::vector<AgentKey>> of_agent;
    if (agent_fd >= 0) of_agent = ask_agent(agent_fd, patience);
    LoginKeys keys = order_login_keys(files, of_agent, config.identities_only);
    keys.no_descriptors = no_descriptors;
    return keys;
}

std::string key_name(const AgentKey& key) {
    constexpr size_t longest = 60;
    std::string name;
    for (const char c : key.comment.substr(0, longest)) {
        if (c >= ' ' && c <= '~') name += c;
    }
    return "the agent's " + (name.empty() ? std::string(key.type()) : name);
}

std::string key_name(const std::string& path, const std::string& home) {
    if (home.size() > 1 && path.starts_with(home + "/")) return "~" + path.substr(home.size());
    return path;
}

start_error::RefusedLogin refused_login(const LoginKeys& keys, const HostConfig& config,
                                        const std::string& home) {
    start_error::RefusedLogin login;
    login.user = config.user;
    login.starter = config.starter;
    login.agent_answers = keys.agent_answers;
    for (const auto& key : keys.of_agent)
        login.tried.push_back(key_name(key));
    for (const auto& path : keys.files)
        login.tried.push_back(key_name(path, home));
    for (const auto& path : keys.locked)
        login.locked.push_back(key_name(path, home));
    for (const auto& path : keys.exposed)
        login.exposed.push_back(key_name(path, home));
    return login;
}

}  // namespace launch
