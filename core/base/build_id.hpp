// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace launch {

/// Identifies this executable: the linker's build id (an ELF note), in hex. Peers of one job
/// must agree on it.
std::string own_build_id();

}  // namespace launch
