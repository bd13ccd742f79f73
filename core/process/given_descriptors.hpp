// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace launch {

/// The descriptors above the standard streams that the programs which this process executes keep,
/// such as those that it was given itself. launch closes its own when a program is executed.
std::vector<int> given_descriptors();

}  // namespace launch
