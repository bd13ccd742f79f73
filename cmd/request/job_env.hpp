// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cmd/options/read_source.hpp"

namespace launch {

/// Whether one place says of the same ranks at most once what they get of the environment here.
Status check_inherit(const Settings& line);

/// The part of an environment that ranks get.
std::vector<std::string> inherited(const std::vector<std::string>& env, const Inherit& asked);

/// The possible meanings of the word after -x: a variable that is set here, or, for users of other
/// launchers, a host to leave out.
struct ExportNames {
    const std::vector<std::string>& env;
    const std::vector<Host>& hosts;
};

/// The variables of one program: --mca, -genv, then -x (looked up in `known` if it has no value),
/// then -env. resolve() has dropped those that a stronger layer sets by another option. An -x of a
/// variable that is not set adds to `notes`; of a word that cannot be a variable, it is an error.
Result<std::vector<std::string>> set_variables(const Settings& line, const ProgramSettings& program,
                                               const ExportNames& known,
                                               std::vector<std::string>& notes);

}  // namespace launch
