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

/// Reads the words after the program's own name. Errors are of kind usage.
CommandLine read_words(const std::vector<std::string>& words, const WordRules& rules = {});

/// Reads LAUNCH_OPT_NAME=VALUE from an environment; NAME is an option's key in capitals and
/// underscores. An unknown name is an error: a mistyped one would have no effect, silently.
Result<Source> read_environment(const std::vector<std::string>& env,
                                OptionTable table = all_options());

/// "LAUNCH_OPT_KEEP_GOING" of the key "keep-going".
std::string variable_of(const OptionRow& option);

}  // namespace launch
