#include "cmd/options/bind.hpp"
#include "cmd/options/rows/rows.hpp"

namespace launch {
namespace {

constexpr auto pmi_helps = std::to_array<std::string_view>({
    "what fits the program, the default",
    "PMI-1",
    "PMI-1 by a port of 127.0.0.1",
    "PMI-2",
    "PMIx",
    "nothing",
});

constexpr auto modex_helps = std::to_array<std::string_view>({
    "whichever fits, the default",
    "all cards to everyone",
    "each card when it is asked for",
    "large data of PMIx in a ring of hosts",
    "large data of PMIx as Bruck's algorithm has it",
    "large data of PMIx by recursive doubling",
});

constexpr auto rows = std::to_array<OptionRow>({
    {.group = OptionGroup::mpi,
     .scope = Scope::job,
     .names = "-gmca -omca --mca",
     .key = "mca",
     .metavar = "NAME VALUE",
     .value = texts<&Settings::mca>(Kind::pair),
     .help = "a parameter of Open MPI, as its variable OMPI_MCA_NAME",
     .manual = "Gives a parameter of Open MPI to the ranks, as its variable `OMPI_MCA_NAME`. It "
               "may be given several times. Other MPI libraries take no notice of it.",
     .if_unset = "none is given",
     .example = "btl=self,tcp",
     .variable_prefix = mca_variable_prefix},
    {.group = OptionGroup::mpi,
     .scope = Scope::job,
     .names = "--pmi",
     .key = "pmi",
     .metavar = "NAME",
     .value = choice<pmi_choice_names, pmi_helps, &Settings::policies, &Policies::pmi>(),
     .help = "offer pmi1, pmi1-port, pmi2, pmix, none; by default auto, what fits",
     .manual = "The protocols that ranks are offered to find each other by. `auto`, the default, "
               "looks at what the program links; `pmi1`, `pmi2`, `pmix` offer that one; "
               "`pmi1-port` offers PMI-1 by a port of 127.0.0.1, for programs behind what closes "
               "descriptors; `none` offers nothing. Give `pmix` for Open MPI in a container or "
               "linked statically. `--dry-run --explain` shows what is offered."},
    {.group = OptionGroup::mpi,
     .scope = Scope::job,
     .names = "--modex",
     .key = "modex",
     .metavar = "HOW",
     .value = choice<modex_choice_names, modex_helps, &Settings::policies, &Policies::modex>(),
     .help = "cards travel by auto, gather, on-demand, ring, bruck or doubling",
     .manual = "How the contact cards of ranks travel in a fence: `gather`, all to everyone; "
               "`on-demand`, each when it is asked for; `auto`, the default, whichever fits. "
               "`ring`, `bruck` and `doubling` name the way that large data of PMIx take between "
               "hosts. For measuring, above all."},
});

}  // namespace

std::span<const OptionRow> rows_of_mpi() {
    return rows;
}

}  // namespace launch
