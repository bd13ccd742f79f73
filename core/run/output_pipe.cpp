// SPDX-License-Identifier: MIT
#include "core/run/output_pipe.hpp"

#include <algorithm>
#include <sys/ioctl.h>
#include <system_error>

namespace launch {

size_t OutputPipe::waiting() {
    int bytes = 0;
    ioctl(pipe.native_handle(), FIONREAD, &bytes);
    return static_cast<size_t>(bytes);
}

void OutputPipe::cut() {
    rest = waiting();
    std::error_code ignored;
    if (rest == size_t{0}) pipe.close(ignored);
}

/// A read that the cut overtook may have taken its bytes before they were counted, or after.
void OutputPipe::took(size_t bytes, bool was_cut) {
    if (!rest) return;
    const size_t left = was_cut ? *rest - std::min(*rest, bytes) : *rest;
    rest = std::min(left, waiting());
}

}  // namespace launch
