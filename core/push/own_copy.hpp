// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace launch {

/// Of a relay that was pushed: takes away the executable that it runs, and the folder made for it.
/// Nothing else: a folder that is not like push_folder, or what is there under its name and is not
/// this executable stays.
void remove_own_copy(const std::string& folder);

}  // namespace launch
