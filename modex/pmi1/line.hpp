// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

namespace launch {

/// A PMI-1 message is one line, "cmd=put kvsname=k key=a value=b": fields in any order, by blanks.

/// The value of the first field of that name, up to the next blank.
std::optional<std::string_view> pmi1_field(std::string_view line, std::string_view name);

/// A field up to the end of the line: the last field of the protocol may contain blanks and '='.
std::optional<std::string_view> pmi1_last_field(std::string_view line, std::string_view name);

/// The text after "cmd=" at the beginning of a line; nothing for any other line.
std::optional<std::string_view> pmi1_command(std::string_view line);

}  // namespace launch
