// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace launch {

/// The word for a login shell that we do not know: sh, bash, zsh, csh, tcsh and fish read it as
/// the same text. Quoted only where it must be. (csh cannot take a line break in a word.)
std::string shell_word(std::string_view word);

/// Whether only a shell can make sense of it as a command: `uptime; hostname`, `ls -l`. A program
/// may have such a name all the same.
bool is_shell_line(std::string_view word);

}  // namespace launch
