// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace launch {

/// Names of hosts for completion, sorted, each once: those of the host files, those that the user's
/// ssh configuration names, and those in known_hosts whose names are not hashed. Unreadable files
/// are skipped.
std::vector<std::string> host_names(const std::vector<std::string>& hostfiles,
                                    const std::string& home);

/// The names in those of the host files that are files; in their order.
std::vector<std::string> names_of_hostfiles(const std::vector<std::string>& hostfiles);

/// The names in the text of a known_hosts file (sshd(8)): no patterns, no hashes, without ports.
std::vector<std::string> names_in_known_hosts(std::string_view text);

}  // namespace launch
