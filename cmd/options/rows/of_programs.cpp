// SPDX-License-Identifier: MIT
#include "cmd/options/bind.hpp"
#include "cmd/options/rows/rows.hpp"
#include "cmd/options/rows/with_texts.hpp"

namespace launch {
namespace {

constexpr auto rows = std::to_array<OptionRow>({
    {.group = OptionGroup::program,
     .scope = Scope::program,
     .names = "-n -np --ranks",
     .key = "ranks",
     .metavar = "N",
     .value = number<&ProgramSettings::ranks>(),
     .example = "4"},
    {.group = OptionGroup::program,
     .scope = Scope::program,
     .names = "-wdir -wd --wdir",
     .key = "wdir",
     .metavar = "DIR",
     .value = text<&ProgramSettings::wdir>(Kind::path),
     .example = "/scratch/run",
     .completes = Completes::folders},
    {.group = OptionGroup::program,
     .scope = Scope::program,
     .names = "-env",
     .key = "env",
     .metavar = "NAME VALUE",
     .value = texts<&ProgramSettings::env>(Kind::pair),
     .example = "COLOUR=blue",
     .variable_prefix = ""},
    {.group = OptionGroup::program,
     .scope = Scope::program,
     .names = "-x",
     .key = "export",
     .metavar = "NAME[=VALUE]",
     .value = texts<&ProgramSettings::exported>(Kind::text),
     .example = "LD_LIBRARY_PATH",
     .variable_prefix = "",
     .completes = Completes::variables},
    {.group = OptionGroup::program,
     .scope = Scope::program,
     .names = "-envall",
     .key = "envall",
     .value = choosing<Inherit::What::all, &ProgramSettings::inherit, &Inherit::what>(),
     .family = "env-kept"},
    {.group = OptionGroup::program,
     .scope = Scope::program,
     .names = "-envnone",
     .key = "envnone",
     .value = choosing<Inherit::What::none, &ProgramSettings::inherit, &Inherit::what>(),
     .family = "env-kept"},
    {.group = OptionGroup::program,
     .scope = Scope::program,
     .names = "-envlist",
     .key = "envlist",
     .metavar = "NAMES",
     .value = listed_variables<&ProgramSettings::inherit>(),
     .example = "PATH,HOME",
     .family = "env-kept",
     .completes = Completes::variables},
});

}  // namespace

std::span<const OptionRow> rows_of_programs() {
    static constexpr auto complete = with_texts("programs", rows);
    return complete;
}

}  // namespace launch
