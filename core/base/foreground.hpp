// SPDX-License-Identifier: MIT
#pragma once

namespace launch {

/// Whether the descriptor is the terminal of this session, and another process group has it: a
/// shell that has put this process in the background.
bool is_in_background(int fd);

}  // namespace launch
