#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/options/settings.hpp"
#include "core/job/exit_status.hpp"

namespace launch {

/// A word that is a subcommand only as the very first one: anywhere else, after `run` or `--`, or
/// with a path, it names a program.
struct Subcommand {
    std::string_view name;
    std::string_view help;  ///< one line; empty: hidden
    /// Of the words after the name; returns the exit code. Null: the name is reserved.
    int (*start)(const std::vector<std::string>& words);
};

std::span<const Subcommand> subcommands();

/// The one that these words begin with; null: they are those of `run`. Called by another
/// launcher's name (argv[0] is mpiexec or mpirun), launch has none.
const Subcommand* find_subcommand(std::string_view called_as,
                                  const std::vector<std::string>& words);

/// The command whose name the program's may be, mistyped, where the program was not found and is
/// what the command line begins with; empty: none.
std::string_view command_meant(const Settings& settings, const ExitStatus& failed);

/// What is said of a reserved name.
std::string reserved_text(std::string_view name);

}  // namespace launch
