// SPDX-License-Identifier: MIT
#include "cmd/options/bind.hpp"
#include "cmd/options/place_values.hpp"
#include "cmd/options/rows/rows.hpp"

namespace launch {
namespace {

constexpr auto allocation_helps = std::to_array<std::string_view>({
    "the batch job that launch runs in, the default",
    "none: ranks run on this machine",
    "Slurm",
    "Torque, PBS Pro, OpenPBS",
    "LSF",
    "Grid Engine: SGE, UGE, OGE",
    "OAR",
    "Cobalt",
    "Flux, by its program `flux`",
});

constexpr auto hosts_rows = std::to_array<OptionRow>({
    {.scope = Scope::program,
     .names = "-host -hosts --hosts",
     .metavar = "LIST",
     .value = texts<&ProgramSettings::host_lists>(Kind::hosts),
     .example = "node[001-004]",
     .family = "hosts"},
    {.scope = Scope::program,
     .names = "-f -hostfile -machinefile --hostfile",
     .metavar = "FILE",
     .value = texts<&ProgramSettings::hostfiles>(Kind::path, standard_input_word),
     .example = "hosts",
     .family = "hosts"},
    {.names = "--allocation",
     .metavar = "NAME",
     .value = choice<allocation_choice_names, allocation_helps, &Settings::allocation>()},
    {.names = "--exclude",
     .metavar = "LIST",
     .value = texts<&Settings::excluded>(Kind::hosts),
     .example = "node003",
     .needs = Needs::hosts},
    {.names = "--max-hosts",
     .metavar = "N",
     .value = number_or_none<&Settings::max_hosts>(),
     .example = "2",
     .needs = Needs::hosts},
    {.names = "-ppn --ppn",
     .metavar = "N",
     .value = number_or_none<&Settings::ppn>(),
     .example = "2"},
    {.names = "-map-by --map",
     .metavar = "HOW",
     .value =
         value_with<read_map_by, write_map_by, &Settings::mapping>(Kind::choice, map_by_words)},
    {.names = "--allow-missing", .value = flag<&Settings::allow_missing>()},
    {.names = "--spares",
     .metavar = "N",
     .value = number_or_none<&Settings::spares>(),
     .example = "1",
     .needs = Needs::hosts},
    {.names = "--session",
     .metavar = "NAME",
     .value = text<&Settings::session>(Kind::text),
     .example = "s1",
     .completes = Completes::sessions,
     .without_value = "any"},
    {.names = "--wait", .value = flag<&Settings::session_wait>(), .needs = Needs::session},
    {.names = "--share", .value = flag<&Settings::session_share>(), .needs = Needs::session},
    {.names = "--detach", .value = flag<&Settings::detach>(), .needs = Needs::session},
    {.names = "--start-early", .value = flag<&Settings::policies, &Policies::start_early>()},
    {.names = "--bind-to --bind",
     .metavar = "WHAT",
     .value = value_with<read_bind, write_bind, &Settings::policies, &Policies::place,
                         &PlaceChoice::bind>(Kind::choice, bind_words)},
    {.names = "--rank-by",
     .metavar = "WHAT",
     .value =
         value_with<read_rank_by, write_rank_by, &Settings::rank_by>(Kind::choice, rank_by_words)},
    {.names = "--report-bindings",
     .value = flag<&Settings::policies, &Policies::place, &PlaceChoice::report>()},
    {.names = "--gpus-per-proc --gpus-per-rank",
     .metavar = "N",
     .value = value_with<read_gpus, write_gpus, &Settings::policies, &Policies::place,
                         &PlaceChoice::gpus>(Kind::text, gpu_words)},
});

}  // namespace

std::span<const OptionRow> rows_of_hosts() {
    static constexpr auto complete =
        complete_rows("hosts", OptionGroup::hosts, Scope::job, hosts_rows);
    return complete;
}

}  // namespace launch
