#include "cmd/options/bind.hpp"
#include "cmd/options/rows/rows.hpp"

namespace launch {
namespace {

constexpr auto rows = std::to_array<OptionRow>({
    {.group = OptionGroup::mpi,
     .scope = Scope::job,
     .names = "-gmca -omca --mca",
     .key = "mca",
     .metavar = "NAME VALUE",
     .value = texts<&Settings::mca>(Kind::pair),
     .help = "a parameter of Open MPI, as its variable OMPI_MCA_NAME"},
    {.group = OptionGroup::mpi,
     .scope = Scope::job,
     .names = "--pmi",
     .key = "pmi",
     .metavar = "NAME",
     .value = choice<pmi_choice_names, &Settings::policies, &Policies::pmi>(),
     .help = "offer pmi1, pmi1-port, pmi2, pmix, none; by default auto, what fits"},
    {.group = OptionGroup::mpi,
     .scope = Scope::job,
     .names = "--modex",
     .key = "modex",
     .metavar = "HOW",
     .value = choice<modex_choice_names, &Settings::policies, &Policies::modex>(),
     .help = "cards travel by auto, gather, on-demand, ring, bruck or doubling"},
});

}  // namespace

std::span<const OptionRow> rows_of_mpi() {
    return rows;
}

}  // namespace launch
