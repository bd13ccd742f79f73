// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace launch {

/// Removes the executable of a relay that was pushed, and the folder made for it, and nothing else:
/// a folder unlike push_folder, or a file under its name that is not this executable, stays.
void remove_own_copy(const std::string& folder);

}  // namespace launch
