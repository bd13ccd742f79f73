// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/base/error.hpp"

namespace launch {

/// The first of these folders in which this user can make a file and has room for a little. Some
/// say that they are writable and are full, or out of inodes. Leaves nothing there. Blocks; from
/// any thread. The Error says of each why it cannot be used.
Result<std::string> usable_folder(const std::vector<std::string>& folders);

/// Where a node's PMIx server may have its folder: in memory if possible, as ranks map what is in
/// it and share it, else $TMPDIR, unless others can replace what is there, or /tmp.
std::vector<std::string> pmix_parent_folders();

}  // namespace launch
