// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cmd/options/row.hpp"
#include "core/base/error.hpp"

namespace launch {

/// A value that was given: its text, and where it comes from.
struct Given {
    const OptionRow* option;
    std::string value;  ///< a flag's: "true" or "false"
    Origin origin;
};

/// One program, and what was given for it alone.
struct GivenProgram {
    std::vector<std::string> argv;
    std::vector<Given> given;
    std::string last_option = {};  ///< of the command line, before the program, as it was spelled
};

/// What one of the layers says: the command line, a file or the environment.
struct Source {
    std::vector<Given> given;  ///< those of a program's scope hold for all programs
    std::vector<GivenProgram> programs;
};

/// What is wrong with a value, in the words of where it comes from.
std::optional<Error> objection_to(const Given& given);

/// Puts each value into the settings, and where it comes from. Of each option, or family of
/// options, the strongest source that names it counts alone; of a variable of ranks the strongest
/// that sets it, by whatever option (-genv, -x). Programs are those of the strongest source that
/// has some. The sources come with the weakest first, and objection_to() has none to any of their
/// values.
Settings resolve(std::span<const Source> sources);

}  // namespace launch
