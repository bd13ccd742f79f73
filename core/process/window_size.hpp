// SPDX-License-Identifier: MIT
#pragma once

#include "core/job/output_choice.hpp"

namespace launch {

/// The size of the terminal that the descriptor is; zeros if it is not a terminal, or does not know
/// its size.
WindowSize window_size(int fd);
/// Whoever runs in it hears of that (SIGWINCH).
void set_window_size(int fd, WindowSize size);

}  // namespace launch
