// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace launch {

/// The text as a terminal is to show it, on one line: each character that a terminal obeys stands
/// there as "\x1b" or "\n". Letters beyond ASCII stay.
std::string terminal_text(std::string_view text);

}  // namespace launch
