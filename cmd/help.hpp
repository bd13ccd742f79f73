#pragma once

#include <string>

namespace launch {

/// What `launch --help` prints: examples, every option of the table, exit codes and variables.
/// `colour`: headings are bold, for a terminal.
std::string help_text(bool colour);

/// What `launch --version` prints.
std::string version_text();

}  // namespace launch
