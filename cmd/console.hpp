// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cmd/request/allocation.hpp"
#include "core/base/error.hpp"
#include "core/base/mistakes.hpp"

namespace launch {

/// Messages of launch itself, apart from the job's output.

/// Writes to standard output, to the end.
Status print(std::string_view text);

/// Prints on standard output, and returns the exit code of that. `hint`: what to do if the text
/// cannot be written.
int show(const std::string& text, const std::string& hint = {});

/// "launch: ..." on standard error.
void say(const std::string& text);

/// Says what is wrong, and what else is, and returns its exit code.
int fail(const Error& error);

/// Prints all mistakes, one on each line, and returns the exit code of the last; success if there
/// is no mistake.
int fail(const Mistakes& mistakes);

/// Says each on a line of its own on standard error.
void tell_notes(const std::vector<std::string>& notes);

/// Says what else to try where hosts could not be reached, if there is anything.
void tell_other_way(const Reach& reach, const Error& error);

/// The value of LAUNCH_LOG; empty if it is not set.
std::string log_wanted();

}  // namespace launch
