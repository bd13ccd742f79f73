// SPDX-License-Identifier: MIT
#include "cmd/options/bind.hpp"
#include "cmd/options/rows/rows.hpp"
#include "cmd/options/rows/with_texts.hpp"

namespace launch {
namespace {

constexpr auto rows = std::to_array<OptionRow>({
    {.group = OptionGroup::env,
     .names = "-genv",
     .key = "env",
     .metavar = "NAME VALUE",
     .value = texts<&Settings::env>(Kind::pair),
     .example = "COLOUR=blue",
     .variable_prefix = ""},
    {.group = OptionGroup::env,
     .names = "-genvall",
     .key = "genvall",
     .value = choosing<Inherit::What::all, &Settings::inherit, &Inherit::what>(),
     .family = "genv-kept"},
    {.group = OptionGroup::env,
     .names = "-genvnone",
     .key = "genvnone",
     .value = choosing<Inherit::What::none, &Settings::inherit, &Inherit::what>(),
     .family = "genv-kept"},
    {.group = OptionGroup::env,
     .names = "-genvlist",
     .key = "genvlist",
     .metavar = "NAMES",
     .value = listed_variables<&Settings::inherit>(),
     .example = "PATH,HOME",
     .family = "genv-kept",
     .completes = Completes::variables},
    {.group = OptionGroup::env,
     .names = "--propagate",
     .key = "propagate",
     .metavar = "LIMITS",
     .value = value_of<read_resources, write_resources, &Settings::propagated>(Kind::list,
                                                                               resource_words)},
    {.group = OptionGroup::files,
     .names = "--stage",
     .key = "stage",
     .metavar = "FILE[:DEST]",
     .value = texts<&Settings::staged>(Kind::path),
     .example = "input.dat:data/",
     .completes = Completes::file_and_place},
    {.group = OptionGroup::files,
     .names = "--stage-program",
     .key = "stage-program",
     .value = flag<&Settings::stage_program>()},
    {.group = OptionGroup::files,
     .names = "--stage-keep",
     .key = "stage-keep",
     .value = flag<&Settings::stage_keep>()},
    {.group = OptionGroup::files,
     .names = "--fetch",
     .key = "fetch",
     .metavar = "REMOTE:DIR",
     .value = texts<&Settings::fetched>(Kind::path),
     .example = "results:from-hosts",
     .completes = Completes::place_and_folder},
});

}  // namespace

std::span<const OptionRow> rows_of_env() {
    static constexpr auto complete = with_texts("env", rows);
    return complete;
}

}  // namespace launch
