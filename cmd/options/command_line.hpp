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

/// What a command line says, and all that is wrong with it.
struct CommandLine {
    Source source;  ///< with the values that are wrong; empty where words cannot be told apart
    Mistakes mistakes;
    std::vector<std::string> notes;
};

CommandLine read_words(const std::vector<std::string>& words, const WordRules& rules = {});

/// What the words after the program's own name say. Errors are of kind usage.
Result<Source> read_command_line(const std::vector<std::string>& words,
                                 const WordRules& rules = {});

/// The same as settings, where nothing else says anything.
Result<Settings> parse_command_line(const std::vector<std::string>& words);

}  // namespace launch
