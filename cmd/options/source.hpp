// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cmd/options/table.hpp"
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

/// The texts of one layer: the command line, a file or the environment.
struct Source {
    std::vector<Given> given;  ///< those of a program's scope hold for all programs
    std::vector<GivenProgram> programs;
};

/// The mistake in a value, worded for its source.
std::optional<Error> objection_to(const Given& given);

/// The error for a value that is wrong for this reason, a clause.
Error wrong_value(const Given& given, const std::string& objection);

/// Puts each value and its origin into the settings. For each option, or family of options, only
/// the strongest source that names it counts; for a variable of ranks the strongest that sets it,
/// by any option (-genv, -x). Programs are those of the strongest source that has some. The sources
/// come with the weakest first, and objection_to() has no objection to any of their values.
Settings resolve(std::span<const Source> sources);

}  // namespace launch
