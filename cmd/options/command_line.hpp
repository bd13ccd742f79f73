// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cmd/options/scan.hpp"
#include "cmd/options/source.hpp"
#include "cmd/options/table.hpp"
#include "core/base/error.hpp"
#include "core/base/mistakes.hpp"

namespace launch {

/// The contents of a command line, and all mistakes in it.
struct CommandLine {
    Source source;  ///< includes the wrong values; empty if words cannot be separated
    Mistakes mistakes;
    std::vector<std::string> notes;
};

CommandLine read_words(const std::vector<std::string>& words, const WordRules& rules = {});

/// Reads the words after the program's own name. Errors are of kind usage.
Result<Source> read_command_line(const std::vector<std::string>& words,
                                 const WordRules& rules = {});

/// The settings of the words alone, without any other source.
Result<Settings> parse_command_line(const std::vector<std::string>& words);

}  // namespace launch
