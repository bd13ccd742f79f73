// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace launch {

/// Removes what has this name in an open folder, with all that is in it, and follows no link. What
/// cannot be removed stays. Blocks.
void remove_below(int folder, const std::string& name);

}  // namespace launch
