// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace launch {

/// The role of the executable that becomes a program which stops before its first instruction: the
/// first of its words.
inline constexpr const char* held_word = "__held";

/// The words of a command that runs `program` so: its process is stopped (state T in /proc) when
/// the program is loaded and nothing of it has run. SIGCONT lets it go on; a debugger may be
/// attached before that.
std::vector<std::string> held_command(const std::vector<std::string>& program);

/// The role itself, with the words of the program. It returns only if the program cannot be
/// executed: the exit code.
int run_held_program(const std::vector<std::string>& words);

}  // namespace launch
