// SPDX-License-Identifier: MIT
#include "core/base/foreground.hpp"

#include <unistd.h>

namespace launch {

bool is_in_background(int fd) {
    const pid_t foreground = tcgetpgrp(fd);  // -1: it is not the terminal of this session
    return foreground >= 0 && foreground != getpgrp();
}

}  // namespace launch
