// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace launch {

/// The role of the executable that runs a rank's program under a debugger, with the words after its
/// name (debugged_command()). It stands between the rank's standard streams, which carry orders and
/// records (debug_words.hpp), and those of the debugger and the program. The debugger is the
/// program's parent, as Yama's ptrace_scope wants it. Returns the exit code: the debugger's, or 0
/// where the end of the orders ended it.
int run_debugged_rank(const std::vector<std::string>& words);

}  // namespace launch
