// SPDX-License-Identifier: MIT
#include "cmd/options/bind.hpp"
#include "cmd/options/place_values.hpp"
#include "cmd/options/rows/rows.hpp"

namespace launch {
namespace {

constexpr auto rendezvous_helps = std::to_array<std::string_view>({
    "nothing, the default",
    "MASTER_ADDR, MASTER_PORT, RANK, WORLD_SIZE, LOCAL_RANK and the like",
    "these, and the other variables of torchrun",
});

constexpr auto pmi_helps = std::to_array<std::string_view>({
    "the protocol of the program, the default",
    "PMI-1",
    "PMI-1 by a port of 127.0.0.1",
    "PMI-2",
    "PMIx",
    "nothing",
});

constexpr auto modex_helps = std::to_array<std::string_view>({
    "whichever fits, the default",
    "all cards to all ranks",
    "each card on request",
    "large PMIx data in a ring of hosts",
    "large PMIx data by Bruck's algorithm",
    "large PMIx data by recursive doubling",
});

constexpr auto program_rows = std::to_array<OptionRow>({
    {.names = "-n -np --ranks",
     .metavar = "N",
     .value = number<&ProgramSettings::ranks>(),
     .example = "4"},
    {.names = "-wdir -wd --wdir",
     .metavar = "DIR",
     .value = text<&ProgramSettings::wdir>(Kind::path),
     .example = "/scratch/run",
     .completes = Completes::folders},
    {.names = "-env",
     .metavar = "NAME VALUE",
     .value = texts<&ProgramSettings::env>(Kind::pair),
     .example = "COLOUR=blue",
     .variable_prefix = ""},
    {.names = "-x",
     .key = "export",
     .metavar = "NAME[=VALUE]",
     .value = texts<&ProgramSettings::exported>(Kind::text),
     .example = "LD_LIBRARY_PATH",
     .variable_prefix = "",
     .completes = Completes::variables},
    {.names = "-envall",
     .value = choosing<Inherit::What::all, &ProgramSettings::inherit, &Inherit::what>(),
     .family = "env-kept"},
    {.names = "-envnone",
     .value = choosing<Inherit::What::none, &ProgramSettings::inherit, &Inherit::what>(),
     .family = "env-kept"},
    {.names = "-envlist",
     .metavar = "NAMES",
     .value = listed_variables<&ProgramSettings::inherit>(),
     .example = "PATH,HOME",
     .family = "env-kept",
     .completes = Completes::variables},
});

constexpr auto env_rows = std::to_array<OptionRow>({
    {.names = "--rendezvous",
     .metavar = "HOW",
     .value = choice<rendezvous_choice_names, rendezvous_helps, &Settings::policies,
                     &Policies::rendezvous>()},
    {.names = "--rendezvous-interface",
     .value = flag<&Settings::policies, &Policies::rendezvous_interface>()},
    {.names = "-genv",
     .key = "env",
     .metavar = "NAME VALUE",
     .value = texts<&Settings::env>(Kind::pair),
     .example = "COLOUR=blue",
     .variable_prefix = ""},
    {.names = "-genvall",
     .value = choosing<Inherit::What::all, &Settings::inherit, &Inherit::what>(),
     .family = "genv-kept"},
    {.names = "-genvnone",
     .value = choosing<Inherit::What::none, &Settings::inherit, &Inherit::what>(),
     .family = "genv-kept"},
    {.names = "-genvlist",
     .metavar = "NAMES",
     .value = listed_variables<&Settings::inherit>(),
     .example = "PATH,HOME",
     .family = "genv-kept",
     .completes = Completes::variables},
    {.names = "--propagate",
     .metavar = "LIMITS",
     .value = value_with<read_resources, write_resources, &Settings::propagated>(Kind::list,
                                                                                 resource_words)},
});

constexpr auto files_rows = std::to_array<OptionRow>({
    {.names = "--stage",
     .metavar = "FILE[:DEST]",
     .value = texts<&Settings::staged>(Kind::path),
     .example = "input.dat:data/",
     .completes = Completes::file_and_place},
    {.names = "--stage-program", .value = flag<&Settings::stage_program>()},
    {.names = "--stage-keep", .value = flag<&Settings::stage_keep>()},
    {.names = "--fetch",
     .metavar = "REMOTE:DIR",
     .value = texts<&Settings::fetched>(Kind::path),
     .example = "results:from-hosts",
     .completes = Completes::place_and_folder},
});

constexpr auto mpi_rows = std::to_array<OptionRow>({
    {.names = "-gmca -omca --mca",
     .metavar = "NAME VALUE",
     .value = texts<&Settings::mca>(Kind::pair),
     .example = "btl=self,tcp",
     .variable_prefix = mca_variable_prefix},
    {.names = "--pmi",
     .metavar = "NAME",
     .value = choice<pmi_choice_names, pmi_helps, &Settings::policies, &Policies::pmi>()},
    {.names = "--modex",
     .metavar = "HOW",
     .value = choice<modex_choice_names, modex_helps, &Settings::policies, &Policies::modex>()},
});

}  // namespace

std::span<const OptionRow> rows_of_program() {
    static constexpr auto complete =
        complete_rows("program", OptionGroup::program, Scope::program, program_rows);
    return complete;
}

std::span<const OptionRow> rows_of_env() {
    static constexpr auto complete = complete_rows("env", OptionGroup::env, Scope::job, env_rows);
    return complete;
}

std::span<const OptionRow> rows_of_files() {
    static constexpr auto complete =
        complete_rows("files", OptionGroup::files, Scope::job, files_rows);
    return complete;
}

std::span<const OptionRow> rows_of_mpi() {
    static constexpr auto complete = complete_rows("mpi", OptionGroup::mpi, Scope::job, mpi_rows);
    return complete;
}

}  // namespace launch
