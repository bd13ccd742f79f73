// SPDX-License-Identifier: MIT
#include "cmd/options/bind.hpp"
#include "cmd/options/rows/rows.hpp"

namespace launch {
namespace {

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

constexpr auto rows = std::to_array<OptionRow>({
    {.group = OptionGroup::mpi,
     .scope = Scope::job,
     .names = "-gmca -omca --mca",
     .key = "mca",
     .metavar = "NAME VALUE",
     .value = texts<&Settings::mca>(Kind::pair),
     .help = "set a parameter of Open MPI, as its variable OMPI_MCA_NAME",
     .manual = "Sets a parameter of Open MPI for all ranks, as its variable `OMPI_MCA_NAME`. It "
               "may be given several times. Other MPI libraries ignore it.",
     .if_unset = "no parameter is set",
     .example = "btl=self,tcp",
     .variable_prefix = mca_variable_prefix},
    {.group = OptionGroup::mpi,
     .scope = Scope::job,
     .names = "--pmi",
     .key = "pmi",
     .metavar = "NAME",
     .value = choice<pmi_choice_names, pmi_helps, &Settings::policies, &Policies::pmi>(),
     .help = "offer pmi1, pmi1-port, pmi2, pmix, none; by default auto",
     .manual = "The protocols by which launch lets ranks find each other. `auto`, the default, "
               "looks at the libraries of the program; `pmi1`, `pmi2` and `pmix` offer that "
               "protocol; `pmi1-port` offers PMI-1 by a port of 127.0.0.1, for programs behind a "
               "program that closes descriptors; `none` offers nothing. Give `pmix` for Open MPI "
               "in a container or linked statically. `--dry-run --explain` shows what is offered."},
    {.group = OptionGroup::mpi,
     .scope = Scope::job,
     .names = "--modex",
     .key = "modex",
     .metavar = "HOW",
     .value = choice<modex_choice_names, modex_helps, &Settings::policies, &Policies::modex>(),
     .help = "exchange addresses by auto, gather, on-demand, ring, bruck or doubling",
     .manual = "How ranks get each other's addresses (\"contact cards\") in a fence: `gather`, all "
               "cards to all ranks; `on-demand`, each card on request; `auto`, the default, "
               "whichever fits. `ring`, `bruck` and `doubling` choose the way of large PMIx data "
               "between hosts, mainly for measurements."},
});

}  // namespace

std::span<const OptionRow> rows_of_mpi() {
    return rows;
}

}  // namespace launch
