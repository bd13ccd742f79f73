// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

#include "core/base/error.hpp"

namespace launch {

/// The functions that the main thread of another process is in, the outermost first, read with
/// elfutils' libdw, which is opened when it is needed. Frames outside of main() are left out. A
/// function without a name is "?? in FILE". The process is stopped meanwhile (ptrace(2)) and goes
/// on. This blocks, and for good if the process waits in the kernel in a way that nothing ends: it
/// is for a process that does nothing else. An Error's cause is a clause such as "libdw.so.1 is
/// not installed".
Result<std::vector<std::string>> frames_of(pid_t process);

/// The functions of the thread of which a process died, from its core file.
Result<std::vector<std::string>> frames_of_core(const std::string& path);

}  // namespace launch
