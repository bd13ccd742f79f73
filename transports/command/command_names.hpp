// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace launch {

/// A way to reach hosts that is a command template with a name of its own.
struct NamedCommand {
    std::string_view name;
    std::string_view help;  ///< one line
    std::string_view line;  ///< see CommandTemplate
    /// Only the head can run it: the hosts that it starts cannot reach others by it.
    bool from_head_only = false;
};

/// In the order to show them.
std::span<const NamedCommand> named_commands();

/// The command that a transport's name means: one of named_commands(), or "command:LINE". Nothing:
/// another transport.
std::optional<NamedCommand> find_command(std::string_view transport);

}  // namespace launch
