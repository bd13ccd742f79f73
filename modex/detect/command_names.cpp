// SPDX-License-Identifier: MIT
#include "modex/detect/command_names.hpp"

#include <algorithm>
#include <array>

#include "core/base/base_name.hpp"

namespace launch {
namespace {

constexpr auto shells =
    std::to_array<std::string_view>({"sh", "bash", "dash", "zsh", "ksh", "ash"});

constexpr auto launchers = std::to_array<std::string_view>({
    "aprun",          "flux",          "jsrun",           "launch", "mpiexec",
    "mpiexec.hydra",  "mpiexec.mpich", "mpiexec.openmpi", "mpirun", "mpirun.mpich",
    "mpirun.openmpi", "mpirun_rsh",    "orterun",         "orted",  "prterun",
    "prun",           "salloc",        "sbatch",          "srun",
});

constexpr auto builtins = std::to_array<std::string_view>({
    "!",      "[",        "[[",      "]",      "]]",    "{",      "}",     "alias",    "break",
    "case",   "continue", "declare", "do",     "done",  "echo",   "elif",  "else",     "esac",
    "eval",   "exec",     "exit",    "export", "false", "fi",     "for",   "function", "getopts",
    "hash",   "if",       "in",      "kill",   "local", "printf", "pwd",   "read",     "readonly",
    "return", "select",   "set",     "shift",  "sleep", "source", "test",  "then",     "time",
    "trap",   "true",     "type",    "ulimit", "umask", "unset",  "until", "wait",     "while",
});

template <class Names>
bool is_one_of(const Names& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool is_shell(std::string_view program) {
    return is_one_of(shells, base_name(program));
}

bool is_launcher(std::string_view program) {
    return is_one_of(launchers, base_name(program));
}

bool is_shell_builtin(std::string_view word) {
    return is_one_of(builtins, word);
}

}  // namespace launch
