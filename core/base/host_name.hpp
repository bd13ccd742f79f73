// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace launch {

/// This machine's own name; empty where it has none.
std::string host_name();

}  // namespace launch
