// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace launch {

/// The words as one command line, for a shell or for a person to type.
std::string shell_line(const std::vector<std::string>& words);

/// The text that ssh passes to the login shell: the command replaces the shell, so the host has one
/// process less, and signals and the exit code are the command's own. `otherwise`, if not empty, is
/// run instead if argv[0] cannot be executed there, or if users other than root, the user there and
/// `owners` may have put it there. If it is empty, such a command is not run at all, and standard
/// error says so.
std::string remote_command(const std::vector<std::string>& argv,
                           const std::vector<std::string>& otherwise = {},
                           const std::vector<uint32_t>& owners = {});

/// The words for a service that executes them as they are, without a login shell: /bin/sh if
/// something has to be tested or chosen first, else argv itself.
std::vector<std::string> remote_words(const std::vector<std::string>& argv,
                                      const std::vector<std::string>& otherwise = {},
                                      const std::vector<uint32_t>& owners = {});

}  // namespace launch
