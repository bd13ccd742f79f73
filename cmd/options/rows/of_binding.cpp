// SPDX-License-Identifier: MIT
#include "cmd/options/bind.hpp"
#include "cmd/options/place_values.hpp"
#include "cmd/options/rows/rows.hpp"
#include "cmd/options/rows/with_texts.hpp"

namespace launch {
namespace {

constexpr auto rendezvous_helps = std::to_array<std::string_view>({
    "nothing, the default",
    "MASTER_ADDR, MASTER_PORT, RANK, WORLD_SIZE, LOCAL_RANK and the like",
    "these, and the other variables of torchrun",
});

constexpr auto rows = std::to_array<OptionRow>({
    {.group = OptionGroup::hosts,
     .names = "--bind-to --bind",
     .key = "bind",
     .metavar = "WHAT",
     .value =
         value_of<read_bind, write_bind, &Settings::policies, &Policies::place, &PlaceChoice::bind>(
             Kind::choice, bind_words)},
    {.group = OptionGroup::hosts,
     .names = "--rank-by",
     .key = "rank-by",
     .metavar = "WHAT",
     .value =
         value_of<read_rank_by, write_rank_by, &Settings::rank_by>(Kind::choice, rank_by_words)},
    {.group = OptionGroup::hosts,
     .names = "--report-bindings",
     .key = "report-bindings",
     .value = flag<&Settings::policies, &Policies::place, &PlaceChoice::report>()},
    {.group = OptionGroup::hosts,
     .names = "--gpus-per-proc --gpus-per-rank",
     .key = "gpus-per-rank",
     .metavar = "N",
     .value =
         value_of<read_gpus, write_gpus, &Settings::policies, &Policies::place, &PlaceChoice::gpus>(
             Kind::text, gpu_words)},
    {.group = OptionGroup::env,
     .names = "--rendezvous",
     .key = "rendezvous",
     .metavar = "HOW",
     .value = choice<rendezvous_choice_names, rendezvous_helps, &Settings::policies,
                     &Policies::rendezvous>()},
    {.group = OptionGroup::env,
     .names = "--rendezvous-interface",
     .key = "rendezvous-interface",
     .value = flag<&Settings::policies, &Policies::rendezvous_interface>()},
});

}  // namespace

std::span<const OptionRow> rows_of_binding() {
    static constexpr auto complete = with_texts("binding", rows);
    return complete;
}

}  // namespace launch
