#include "cmd/options/bind.hpp"
#include "cmd/options/rows/rows.hpp"

namespace launch {
namespace {

constexpr auto rows = std::to_array<OptionRow>({
    {.group = OptionGroup::env,
     .scope = Scope::job,
     .names = "-genv",
     .key = "env",
     .metavar = "NAME VALUE",
     .value = texts<&Settings::env>(Kind::pair),
     .help = "set a variable for all ranks"},
    {.group = OptionGroup::env,
     .scope = Scope::job,
     .names = "-genvall",
     .key = "genvall",
     .metavar = "",
     .value = flag<&Settings::inherit, &Inherit::all>(),
     .help = "all ranks get the whole environment from here (default)",
     .family = "genv-kept"},
    {.group = OptionGroup::env,
     .scope = Scope::job,
     .names = "-genvnone",
     .key = "genvnone",
     .metavar = "",
     .value = flag<&Settings::inherit, &Inherit::none>(),
     .help = "all ranks get nothing of the environment here",
     .family = "genv-kept"},
    {.group = OptionGroup::env,
     .scope = Scope::job,
     .names = "-genvlist",
     .key = "genvlist",
     .metavar = "NAMES",
     .value = list<&Settings::inherit, &Inherit::names>(),
     .help = "all ranks get these variables from here",
     .family = "genv-kept",
     .completes = Completes::variables},
    {.group = OptionGroup::env,
     .scope = Scope::job,
     .names = "--propagate",
     .key = "propagate",
     .metavar = "LIMITS",
     .value = value_of<read_resources, write_resources, &Settings::propagated>(Kind::list,
                                                                               resource_words),
     .help = "ulimits that ranks get from here: all (default), none or a list"},
    {.group = OptionGroup::files,
     .scope = Scope::job,
     .names = "--stage",
     .key = "stage",
     .metavar = "FILE[:DEST]",
     .value = texts<&Settings::staged>(Kind::path),
     .help = "put a file on every host first, at DEST or below $LAUNCH_STAGE_DIR"},
    {.group = OptionGroup::files,
     .scope = Scope::job,
     .names = "--stage-program",
     .key = "stage-program",
     .metavar = "",
     .value = flag<&Settings::stage_program>(),
     .help = "put the programs there too, and run those copies"},
    {.group = OptionGroup::files,
     .scope = Scope::job,
     .names = "--stage-keep",
     .key = "stage-keep",
     .metavar = "",
     .value = flag<&Settings::stage_keep>(),
     .help = "leave the files there at the end"},
});

}  // namespace

std::span<const OptionRow> rows_of_env() {
    return rows;
}

}  // namespace launch
