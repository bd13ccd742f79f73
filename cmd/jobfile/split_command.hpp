// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace launch {

/// The words of a command as a shell splits them (POSIX shell, 2.2 Quoting), without expanding
/// anything: $ and * stand for themselves. An unclosed quote and a backslash at the end are errors.
Result<std::vector<std::string>> split_command(std::string_view text);

}  // namespace launch
