// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cmd/request/other_way.hpp"
#include "core/base/mistakes.hpp"

namespace launch {

/// Launch without a subcommand: runs the job that the words describe, or shows it. Returns the exit
/// code.
int start_run(const std::vector<std::string>& words);

/// `launch run`: the same, but --help is about that command.
int start_run_command(const std::vector<std::string>& words);

/// Says what is wrong, and what else is, and returns its exit code.
int fail(const Error& error);

/// Prints all mistakes, one on each line, and returns the exit code of the last; success if there
/// is no mistake.
int fail(const Mistakes& mistakes);

/// Says what else to try where hosts could not be reached, if there is anything.
void tell_other_way(const Reach& reach, const Error& error);

/// Says each on a line of its own on standard error.
void tell_notes(const std::vector<std::string>& notes);

/// Prints on standard output, and returns the exit code of that. `hint`: what to do if the text
/// cannot be written.
int show(const std::string& text, const std::string& hint = {});

/// The value of LAUNCH_LOG; empty if it is not set.
std::string log_wanted();

}  // namespace launch
