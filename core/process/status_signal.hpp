// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>

namespace launch {

/// Asks launch how far the job is. Terminals of BSD send it for ^T; where there is no such signal
/// it is one that no shell, terminal or batch system sends, and that no program expects launch to
/// pass on to its ranks.
inline int status_signal() {
#ifdef SIGINFO
    return SIGINFO;
#else
    return SIGRTMIN;
#endif
}

}  // namespace launch
