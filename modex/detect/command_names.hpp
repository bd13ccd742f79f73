// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace launch {

/// What follows on the command line is text, or the name of a script: "sh", "/bin/bash".
bool is_shell(std::string_view program);

/// What follows is another launcher's business: its ranks are not ours.
bool is_launcher(std::string_view program);

/// A word of shell language, or a command that starts no program.
bool is_shell_builtin(std::string_view word);

}  // namespace launch
