// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace launch {

/// The words of all programs.
struct CommandWords {
    std::vector<std::string> words = {};
    std::string separator = ":";           ///< the word between two programs
    std::vector<std::string> places = {};  ///< "FILE:LINE" of each program; empty: not of a file
};

/// For `-configfile FILE` and no more, the words of the file's lines, as the MPI standard has it
/// ("Portable MPI Process Startup"): each line is what stands between two ':' of a command line,
/// one that begins with '#' is a comment, and a backslash at the end of a line continues it. A ':'
/// is a word like others there. Other words stay as they are.
Result<CommandWords> with_config_file(const std::vector<std::string>& words);

/// The words of such a file's text, with "\n" between two programs, which no word of a line is.
Result<CommandWords> words_of_lines(std::string_view text, const std::string& name);

}  // namespace launch
