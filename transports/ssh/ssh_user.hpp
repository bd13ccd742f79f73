#pragma once

#include <string>
#include <vector>

#include "transports/ssh/host_config.hpp"

namespace launch {

/// Who runs this program, as OpenSSH sees it: home and name come from the user database.
SshUser current_ssh_user();

/// The config files to read: the user's and the system's; or only the one that was asked for
/// ("none": no file), as with ssh -F.
std::vector<ConfigSource> ssh_config_sources(const std::string& asked_for, const std::string& home);

}  // namespace launch
