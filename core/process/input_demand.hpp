// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

namespace launch {

/// Whether somebody reads a pipe: asked of the kernel, so that launch need not read ahead of a
/// program that never looks at its standard input (and would eat what the next program in a
/// script was to read).
enum class Demand : unsigned char {
    none,    ///< nobody is in a call that would read the pipe
    wanted,  ///< somebody waits in read, poll, ... or the kernel does not tell
};

/// Looks at `leader` and all below it for a process that has the pipe open and waits in a call
/// that reads it or waits for descriptors to become ready. Programs that read by io_uring or by
/// non-blocking descriptors never wait: for them, and where /proc/PID/syscall is not readable,
/// the answer is `wanted`. Costs some tens of microseconds a process.
Demand input_demand(pid_t leader, ino_t pipe);

}  // namespace launch
