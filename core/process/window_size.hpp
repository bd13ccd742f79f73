// SPDX-License-Identifier: MIT
#pragma once

#include "core/job/output_choice.hpp"

namespace launch {

/// Of the terminal that the descriptor is; zeros where it is none, or does not know.
WindowSize window_size(int fd);
/// Whoever runs in it hears of that (SIGWINCH).
void set_window_size(int fd, WindowSize size);

}  // namespace launch
