// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cmd/command.hpp"

namespace launch {

/// How a command is written, a line for each way: "launch report FILE [--format text|svg|html]".
std::vector<std::string> synopsis_of(const Command& command);

/// Returns the synopses of a command and its verbs, or of `all` commands, wrapped for a page; empty
/// if there is no command of that name.
std::vector<std::string> synopsis_lines(std::string_view name);

}  // namespace launch
