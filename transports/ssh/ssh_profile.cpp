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
    return resolve_host(lines_, user_, host);
}

}  // namespace launch
