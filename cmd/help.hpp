#pragma once

#include <string>
#include <vector>

#include "core/base/error.hpp"

namespace launch {

/// The text that `launch help WORDS` prints: without words what `launch --help` prints, which fits
/// a screen; the page of a topic, a command or an option; with --man the source of a manual page,
/// for packagers. `colour`: headings are bold, for a terminal.
Result<std::string> help_page(std::vector<std::string> words, bool colour);

/// What `launch --version` prints.
std::string version_text();

}  // namespace launch
