// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace launch {

/// The users that this user trusts by executing that file: the owners of it and of the folders
/// above it, except root and the user. On hosts, they may own the executable, too.
std::vector<uint32_t> path_owners(const std::string& path);

}  // namespace launch
