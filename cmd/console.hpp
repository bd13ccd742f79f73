// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/base/error.hpp"

namespace launch {

/// Messages of launch itself, apart from the job's output.

/// Writes to standard output, to the end.
Status print(const std::string& text);

/// "launch: ..." on standard error.
void say(const std::string& text);

/// Whether standard output wants colours: a terminal, and NO_COLOR is unset (no-color.org).
bool wants_colour();

}  // namespace launch
