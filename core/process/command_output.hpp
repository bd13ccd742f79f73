// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "core/base/error.hpp"

namespace launch {

/// What a program says on its standard output, at most 1 MiB, where it ends with exit code 0 within
/// the time; or why there is nothing: the error's cause is a clause about the program, such as
/// "ended with exit code 1" or "did not answer within 5 s". It gets no input, and what it started
/// in its process group ends with it. This waits, so it is for a process that does nothing else
/// meanwhile and reaps no children of its own.
Result<std::string> command_output(const std::vector<std::string>& argv,
                                   const std::vector<std::string>& env,
                                   std::chrono::milliseconds limit);

}  // namespace launch
