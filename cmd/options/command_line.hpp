#pragma once

#include <string>
#include <vector>

#include "cmd/options/scan.hpp"
#include "cmd/options/source.hpp"
#include "cmd/options/table.hpp"
#include "core/base/error.hpp"

namespace launch {

/// What the words after the program's own name say. Errors are of kind usage.
Result<Source> read_command_line(const std::vector<std::string>& words,
                                 const WordRules& rules = {});

/// The same as settings, where nothing else says anything.
Result<Settings> parse_command_line(const std::vector<std::string>& words);

}  // namespace launch
