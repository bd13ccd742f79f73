// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace launch {

/// Whether a word names a file that describes a job, and no program: it ends in .toml, and the
/// file cannot be executed, or launch is what executes it. A file that is not there is a job file
/// too, by a name that was mistyped, unless a program in PATH has that name.
bool is_job_file(const std::string& word);

/// Whether the first line of a file has the kernel run it by launch: `#!/usr/bin/env launch`. Such
/// a file would start itself for ever if it were taken for a program.
bool is_run_by_launch(std::string_view first_bytes);

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
