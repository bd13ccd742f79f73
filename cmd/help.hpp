// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/base/error.hpp"

namespace launch {

/// Prints the page of `launch help WORDS`: without words what `launch --help` prints, which fits a
/// screen; the page of a topic, a command or an option; with --man the source of a manual page, for
/// packagers. `colour`: headings are bold, for a terminal.
Result<std::string> help_page(const std::vector<std::string>& words, bool colour);

/// Shows the page of a command; without a name what `launch --help` prints. Returns the exit code.
int show_page(const std::string& name);

/// Prints the version and the build.
std::string version_text();

}  // namespace launch
