// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace launch {

/// Whom this user trusts by executing that file: the owners of it and of the folders above it, but
/// for root and the user. On hosts they may be the owners of what is there, too.
std::vector<uint32_t> path_owners(const std::string& path);

}  // namespace launch
