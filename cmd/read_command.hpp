// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cmd/command.hpp"
#include "core/base/error.hpp"

namespace launch {

/// Reads the words after the name of a command that has no settings in files (Command::run). The
/// error says which word is wrong or missing, and names the command's page.
Result<Asked> read_command(const Command& command, const std::vector<std::string>& words);

}  // namespace launch
