// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace launch {

/// The words as one command line, for a shell or for a person to type.
std::string shell_line(const std::vector<std::string>& words);

/// What ssh hands to the login shell: the shell is replaced by the command, so that one process
/// less stays on the host and signals and the exit code are the command's own. By `otherwise`, if
/// that is anything, where argv[0] is not there to be executed, or where others than root, the user
/// there and `owners` may have put it there. Where that is nothing, such a command is not run
/// either, which is said on its standard error.
std::string remote_command(const std::vector<std::string>& argv,
                           const std::vector<std::string>& otherwise = {},
                           const std::vector<uint32_t>& owners = {});

/// The same for a service that executes words as they are, without a login shell: they run /bin/sh
/// where something is to be tested or chosen first, and are else argv itself.
std::vector<std::string> remote_words(const std::vector<std::string>& argv,
                                      const std::vector<std::string>& otherwise = {},
                                      const std::vector<uint32_t>& owners = {});

}  // namespace launch
