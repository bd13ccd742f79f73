// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "core/base/error.hpp"

namespace launch {

/// The standard output of a program, at most 1 MiB, if it ends with exit code 0 in time; otherwise
/// the reason: the error's cause is a clause about the program, such as "ended with exit code 1" or
/// "did not answer within 5 s". The program gets no input, and its process group ends with it. This
/// blocks, so it is for a process that does nothing else meanwhile and reaps no children of its
/// own.
Result<std::string> command_output(const std::vector<std::string>& argv,
                                   const std::vector<std::string>& env,
                                   std::chrono::milliseconds limit);

}  // namespace launch
