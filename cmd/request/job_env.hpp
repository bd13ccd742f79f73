// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cmd/options/command_line.hpp"

namespace launch {

/// Whether one place says of the same ranks at most once what they get of the environment here.
Status check_inherit(const Settings& line);

/// What of an environment the ranks get.
std::vector<std::string> inherited(const std::vector<std::string>& env, const Inherit& asked);

/// What the word after -x may mean: a variable that is set here, or, to users of other launchers,
/// a host to leave out.
struct ExportNames {
    const std::vector<std::string>& env;
    const std::vector<Host>& hosts;
};

/// The variables that are set for one program: --mca, -genv, then -x (looked up in `known` where it
/// has no value), then -env. What a stronger layer sets by another option, resolve() has left out.
/// An -x of a variable that is not set adds to `notes`; of what can be none, it is an error.
Result<std::vector<std::string>> set_variables(const Settings& line, const ProgramSettings& program,
                                               const ExportNames& known,
                                               std::vector<std::string>& notes);

}  // namespace launch
