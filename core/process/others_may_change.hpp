// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace launch {

/// Whether somebody other than root, this user and the owner of / can replace what this user puts
/// into that folder: the folder, one above it or a link on the way there belongs to such a user, or
/// a folder is for others to write to and not sticky. A group that has the number of the folder's
/// owner is a group of one user. False for a folder that is not there. Blocks.
bool others_may_change(const std::string& folder);

}  // namespace launch
