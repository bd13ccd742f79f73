// SPDX-License-Identifier: MIT
#include "cmd/options/bind.hpp"
#include "cmd/options/rows/rows.hpp"
#include "cmd/options/rows/with_texts.hpp"

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
     .names = "-gmca -omca --mca",
     .key = "mca",
     .metavar = "NAME VALUE",
     .value = texts<&Settings::mca>(Kind::pair),
     .example = "btl=self,tcp",
     .variable_prefix = mca_variable_prefix},
    {.group = OptionGroup::mpi,
     .names = "--pmi",
     .key = "pmi",
     .metavar = "NAME",
     .value = choice<pmi_choice_names, pmi_helps, &Settings::policies, &Policies::pmi>()},
    {.group = OptionGroup::mpi,
     .names = "--modex",
     .key = "modex",
     .metavar = "HOW",
     .value = choice<modex_choice_names, modex_helps, &Settings::policies, &Policies::modex>()},
});

}  // namespace

std::span<const OptionRow> rows_of_mpi() {
    static constexpr auto complete = with_texts("mpi", rows);
    return complete;
}

}  // namespace launch
