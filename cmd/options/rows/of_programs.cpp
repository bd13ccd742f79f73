// SPDX-License-Identifier: MIT
#include "cmd/options/bind.hpp"
#include "cmd/options/rows/rows.hpp"

namespace launch {
namespace {

constexpr auto rows = std::to_array<OptionRow>({
    {.group = OptionGroup::program,
     .scope = Scope::program,
     .names = "-n -np --ranks",
     .key = "ranks",
     .metavar = "N",
     .value = number<&ProgramSettings::ranks>(),
     .help = "ranks of this program; by default one for each slot",
     .manual = "The number of ranks of this program. By default one for each slot of the hosts, or "
               "for each processor of this machine if no host is named; if there are several "
               "programs, one without `-n` takes the slots that the others leave. More ranks than "
               "slots are allowed; if hosts are named, a notice reports it.",
     .if_unset = "one for each slot",
     .example = "4"},
    {.group = OptionGroup::program,
     .scope = Scope::program,
     .names = "-wdir -wd --wdir",
     .key = "wdir",
     .metavar = "DIR",
     .value = text<&ProgramSettings::wdir>(Kind::path),
     .help = "folder in which its ranks start; by default this one",
     .manual = "The folder in which the program's ranks start. It must exist on every host of "
               "these ranks; otherwise the job fails with exit code 126. By default it is your "
               "current folder, or each host's home folder if no host has yours.",
     .if_unset = "the folder where launch is started",
     .example = "/scratch/run",
     .completes = Completes::folders},
    {.group = OptionGroup::program,
     .scope = Scope::program,
     .names = "-env",
     .key = "env",
     .metavar = "NAME VALUE",
     .value = texts<&ProgramSettings::env>(Kind::pair),
     .help = "set a variable for its ranks",
     .manual = "Sets a variable for the ranks of this program, on top of their environment. `-env "
               "NAME=VALUE` is the same. It may be given several times, and wins over `-genv`.",
     .if_unset = "no variable is set",
     .example = "COLOUR=blue",
     .variable_prefix = ""},
    {.group = OptionGroup::program,
     .scope = Scope::program,
     .names = "-x",
     .key = "export",
     .metavar = "NAME[=VALUE]",
     .value = texts<&ProgramSettings::exported>(Kind::text),
     .help = "set a variable for its ranks; by default as it is here",
     .manual = "Sets a variable for the ranks of this program; without a value, the variable has "
               "its value from here. Use that with `-genvnone` or for variables of a login. To "
               "exclude a host, as `-x` does in other tools, use `--exclude`.",
     .if_unset = "no variable is exported",
     .example = "LD_LIBRARY_PATH",
     .variable_prefix = "",
     .completes = Completes::variables},
    {.group = OptionGroup::program,
     .scope = Scope::program,
     .names = "-envall",
     .key = "envall",
     .metavar = "",
     .value = choosing<Inherit::What::all, &ProgramSettings::inherit, &Inherit::what>(),
     .help = "its ranks get the whole environment from here",
     .manual = "The program's ranks get the whole environment of launch, even if `-genvnone` or "
               "`-genvlist` is given for all ranks. This is the default.",
     .if_unset = "as genvall, genvnone and genvlist say",
     .family = "env-kept"},
    {.group = OptionGroup::program,
     .scope = Scope::program,
     .names = "-envnone",
     .key = "envnone",
     .metavar = "",
     .value = choosing<Inherit::What::none, &ProgramSettings::inherit, &Inherit::what>(),
     .help = "its ranks get no variables from here",
     .manual = "The program's ranks get no variables from launch's environment: only those that "
               "`-env`, `-genv` and `-x` set, those of each host, and the variables of launch.",
     .if_unset = "as genvall, genvnone and genvlist say",
     .family = "env-kept"},
    {.group = OptionGroup::program,
     .scope = Scope::program,
     .names = "-envlist",
     .key = "envlist",
     .metavar = "NAMES",
     .value = listed_variables<&ProgramSettings::inherit>(),
     .help = "its ranks get only these variables from here",
     .manual = "The program's ranks get these variables of launch's environment, and no others. "
               "Separate the names by commas.",
     .if_unset = "as genvall, genvnone and genvlist say",
     .example = "PATH,HOME",
     .family = "env-kept",
     .completes = Completes::variables},
});

}  // namespace

std::span<const OptionRow> rows_of_programs() {
    return rows;
}

}  // namespace launch
