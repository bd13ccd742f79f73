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
     .help = "ranks of this program; by default one for each slot"},
    {.group = OptionGroup::program,
     .scope = Scope::program,
     .names = "-wdir -wd --wdir",
     .key = "wdir",
     .metavar = "DIR",
     .value = text<&ProgramSettings::wdir>(Kind::path),
     .help = "where its ranks start; by default here",
     .completes = Completes::folders},
    {.group = OptionGroup::program,
     .scope = Scope::program,
     .names = "-env",
     .key = "env",
     .metavar = "NAME VALUE",
     .value = texts<&ProgramSettings::env>(Kind::pair),
     .help = "set a variable for its ranks"},
    {.group = OptionGroup::program,
     .scope = Scope::program,
     .names = "-x",
     .key = "export",
     .metavar = "NAME[=VALUE]",
     .value = texts<&ProgramSettings::exported>(Kind::text),
     .help = "the same; without a value, the variable as it is here",
     .completes = Completes::variables},
    {.group = OptionGroup::program,
     .scope = Scope::program,
     .names = "-envall",
     .key = "envall",
     .metavar = "",
     .value = flag<&ProgramSettings::inherit, &Inherit::all>(),
     .help = "its ranks get the whole environment from here",
     .family = "env-kept"},
    {.group = OptionGroup::program,
     .scope = Scope::program,
     .names = "-envnone",
     .key = "envnone",
     .metavar = "",
     .value = flag<&ProgramSettings::inherit, &Inherit::none>(),
     .help = "its ranks get nothing of the environment here",
     .family = "env-kept"},
    {.group = OptionGroup::program,
     .scope = Scope::program,
     .names = "-envlist",
     .key = "envlist",
     .metavar = "NAMES",
     .value = list<&ProgramSettings::inherit, &Inherit::names>(),
     .help = "its ranks get these variables from here",
     .family = "env-kept",
     .completes = Completes::variables},
});

}  // namespace

std::span<const OptionRow> rows_of_programs() {
    return rows;
}

}  // namespace launch
