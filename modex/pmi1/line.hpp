// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

namespace launch {

/// A PMI-1 message is one line, "cmd=put kvsname=k key=a value=b": fields in any order, by blanks.

/// The value of the first field of that name, up to the next blank.
std::optional<std::string_view> pmi1_field(std::string_view line, std::string_view name);

/// The same up to the end of the line: what the protocol puts last may hold blanks and '='.
std::optional<std::string_view> pmi1_last_field(std::string_view line, std::string_view name);

/// What follows "cmd=", with which a line begins; nothing where it does not.
std::optional<std::string_view> pmi1_command(std::string_view line);

}  // namespace launch
