#pragma once

#include <string>
#include <vector>

#include "transports/ssh/host_config.hpp"

namespace launch {

/// Who runs this program, as OpenSSH sees it: home and name come from the user database.
SshUser current_ssh_user();

/// The config file that was asked for, or nothing where this machine has none of that name: a relay
/// then reaches hosts as its own user's config says.
std::string ssh_config_here(const std::string& asked_for);

/// The config files to read: the user's and the system's; or only the one that was asked for
/// ("none": no file), as with ssh -F.
std::vector<ConfigSource> ssh_config_sources(const std::string& asked_for, const std::string& home);

}  // namespace launch
