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
     .manual = "The number of ranks of this program. By default one for each slot of the "
               "hosts, or for each processor of this machine where no host is named; of several "
               "programs, one without `-n` takes the slots that the others leave. More ranks than "
               "slots are allowed; where hosts are named a notice tells of it.",
     .if_unset = "one for each slot",
     .example = "4"},
    {.group = OptionGroup::program,
     .scope = Scope::program,
     .names = "-wdir -wd --wdir",
     .key = "wdir",
     .metavar = "DIR",
     .value = text<&ProgramSettings::wdir>(Kind::path),
     .help = "where its ranks start; by default here",
     .manual = "The folder in which the program's ranks start. It must be there on every host "
               "where they run; where it is not, the job fails with exit code 126. By default the "
               "folder where you are, or each host's home folder if none of them has it.",
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
     .manual =
         "Sets a variable for the ranks of this program, on top of all that goes along. `-env "
         "NAME=VALUE` is the same. It may be given several times, and wins over `-genv`.",
     .if_unset = "none is set",
     .example = "COLOUR=blue",
     .variable_prefix = ""},
    {.group = OptionGroup::program,
     .scope = Scope::program,
     .names = "-x",
     .key = "export",
     .metavar = "NAME[=VALUE]",
     .value = texts<&ProgramSettings::exported>(Kind::text),
     .help = "export a variable to its ranks: as it is here, or with this value",
     .manual = "Sets a variable for the ranks of this program; without a value it is exported as "
               "it is here, which is for use with `-genvnone` or for what belongs to a login. To "
               "leave a host out, as `-x` does in other tools, use `--exclude`.",
     .if_unset = "none is exported",
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
     .manual = "The program's ranks get the whole environment that launch has, also if `-genvnone` "
               "or `-genvlist` says otherwise for the others. That is the default.",
     .if_unset = "as genvall, genvnone and genvlist say",
     .family = "env-kept"},
    {.group = OptionGroup::program,
     .scope = Scope::program,
     .names = "-envnone",
     .key = "envnone",
     .metavar = "",
     .value = choosing<Inherit::What::none, &ProgramSettings::inherit, &Inherit::what>(),
     .help = "its ranks get nothing of the environment here",
     .manual =
         "The program's ranks get nothing of the environment that launch has: only what `-env`, "
         "`-genv` and `-x` set, what each host has itself, and the variables of launch.",
     .if_unset = "as genvall, genvnone and genvlist say",
     .family = "env-kept"},
    {.group = OptionGroup::program,
     .scope = Scope::program,
     .names = "-envlist",
     .key = "envlist",
     .metavar = "NAMES",
     .value = listed_variables<&ProgramSettings::inherit>(),
     .help = "its ranks get these variables from here",
     .manual = "The program's ranks get these variables, with commas between their names, and no "
               "others of the environment that launch has.",
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
