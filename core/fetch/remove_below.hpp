// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace launch {

/// Removes the entry of this name in an open folder, with its contents, and follows no link.
/// Entries that cannot be removed stay. Blocks.
void remove_below(int folder, const std::string& name);

}  // namespace launch
