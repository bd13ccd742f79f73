// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace launch {

/// Whether the rest of the command line is text for a shell, or the name of a script: "sh",
/// "/bin/bash".
bool is_shell(std::string_view program);

/// Whether the program is another launcher: its ranks are not those of this job.
bool is_launcher(std::string_view program);

/// A word of shell language, or a command that starts no program.
bool is_shell_builtin(std::string_view word);

}  // namespace launch
