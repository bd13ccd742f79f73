// SPDX-License-Identifier: MIT
#include "core/process/window_size.hpp"

#include <sys/ioctl.h>

namespace launch {

WindowSize window_size(int fd) {
    winsize size{};
    if (ioctl(fd, TIOCGWINSZ, &size) != 0) return {};
    return {size.ws_row, size.ws_col};
}

void set_window_size(int fd, WindowSize size) {
    winsize wanted{};
    wanted.ws_row = size.rows;
    wanted.ws_col = size.columns;
    ioctl(fd, TIOCSWINSZ, &wanted);
}

}  // namespace launch
