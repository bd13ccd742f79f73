// SPDX-License-Identifier: MIT
#include "transports/ssh/ssh_profile.hpp"

#include <utility>

#include "transports/ssh/ssh_user.hpp"

namespace launch {

SshProfile::SshProfile(const TransportOptions& options) : options_(options) {
    options_.ssh_config = ssh_config_here(options.ssh_config);
}

SshProfile& SshProfile::read() {
    if (std::exchange(read_, true)) return *this;
    user_ = current_ssh_user();
    lines_ = read_ssh_config(ssh_config_sources(options_.ssh_config, user_.home),
                             real_config_files(user_));
    return *this;
}

HostConfig SshProfile::resolve(const Host& host) {
    read();
    HostConfig config = resolve_host(lines_, user_, host);
    using Starter = start_error::Starter;
    if (options_.at_relay)
        config.starter = options_.forward_agent ? Starter::relay_with_agent : Starter::relay;
    return config;
}

}  // namespace launch
