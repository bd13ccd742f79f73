#pragma once

#include <string>
#include <vector>

#include "cmd/command_line.hpp"

namespace launch {

/// What of an environment the ranks get.
Result<std::vector<std::string>> inherited(const std::vector<std::string>& env,
                                           const Inherit& asked);

/// The variables that the command line sets for one program, later ones replacing earlier ones:
/// -genv, then -x (looked up in `env` where it has no value), then -env. An -x of a variable that
/// is not set adds to `notes`.
Result<std::vector<std::string>> set_variables(const CommandLine& line, const ProgramArgs& program,
                                               const std::vector<std::string>& env,
                                               std::vector<std::string>& notes);

}  // namespace launch
