// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <sys/types.h>

#include "core/base/clock.hpp"

namespace launch {

using CoreTime = Clock::time_point;

/// A rank's process that died of a signal of which a core file may be made.
struct DeadProcess {
    uint32_t rank = 0;
    pid_t process = 0;
    int signal = 0;
    bool dumped = false;  ///< the kernel says that it made a core file
    std::string program;
    std::string folder;  ///< in which the process was, as far as is known

    bool operator==(const DeadProcess&) const = default;
};

/// The signals of which a core file is made, see signal(7).
bool makes_core(int signal);

/// Why the kernel made no core file, as a clause.
std::string why_no_core(const DeadProcess& of);

/// Where a core file is, and what is wrong about that.
struct KeptCore {
    std::string path;     ///< empty: it was not found
    std::string problem;  ///< a clause; empty: the file is where it was to go
};

/// Moves the core file that the kernel made to `to`, whose folder is made if it is missing. Where
/// systemd-coredump has taken it, asks for it. Takes until `deadline` at most.
KeptCore keep_core(const DeadProcess& of, const std::string& to, CoreTime deadline);

}  // namespace launch
