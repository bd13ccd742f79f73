// SPDX-License-Identifier: MIT
#include "cmd/options/bind.hpp"
#include "cmd/options/place_values.hpp"
#include "cmd/options/rows/rows.hpp"
#include "cmd/options/rows/with_texts.hpp"

namespace launch {
namespace {

/// The hosts come from standard input.
ChoiceWords standard_input_word() {
    return {{"-", "standard input"}};
}

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

constexpr auto rows = std::to_array<OptionRow>({
    {.group = OptionGroup::hosts,
     .scope = Scope::program,
     .names = "-host -hosts --hosts",
     .key = "hosts",
     .metavar = "LIST",
     .value = texts<&ProgramSettings::host_lists>(Kind::hosts),
     .example = "node[001-004]",
     .family = "hosts"},
    {.group = OptionGroup::hosts,
     .scope = Scope::program,
     .names = "-f -hostfile -machinefile --hostfile",
     .key = "hostfile",
     .metavar = "FILE",
     .value = texts<&ProgramSettings::hostfiles>(Kind::path, standard_input_word),
     .example = "hosts",
     .family = "hosts"},
    {.group = OptionGroup::hosts,
     .names = "--allocation",
     .key = "allocation",
     .metavar = "NAME",
     .value = choice<allocation_choice_names, allocation_helps, &Settings::allocation>()},
    {.group = OptionGroup::hosts,
     .names = "--exclude",
     .key = "exclude",
     .metavar = "LIST",
     .value = texts<&Settings::excluded>(Kind::hosts),
     .example = "node003",
     .needs = Needs::hosts},
    {.group = OptionGroup::hosts,
     .names = "--max-hosts",
     .key = "max-hosts",
     .metavar = "N",
     .value = number_or_none<&Settings::max_hosts>(),
     .example = "2",
     .needs = Needs::hosts},
    {.group = OptionGroup::hosts,
     .names = "-ppn --ppn",
     .key = "ppn",
     .metavar = "N",
     .value = number_or_none<&Settings::ppn>(),
     .example = "2"},
    {.group = OptionGroup::hosts,
     .names = "-map-by --map",
     .key = "map",
     .metavar = "HOW",
     .value = value_of<read_map_by, write_map_by, &Settings::mapping>(Kind::choice, map_by_words)},
    {.group = OptionGroup::hosts,
     .names = "--allow-missing",
     .key = "allow-missing",
     .value = flag<&Settings::allow_missing>()},
    {.group = OptionGroup::hosts,
     .names = "--spares",
     .key = "spares",
     .metavar = "N",
     .value = number_or_none<&Settings::spares>(),
     .example = "1",
     .needs = Needs::hosts},
    {.group = OptionGroup::hosts,
     .names = "--session",
     .key = "session",
     .metavar = "NAME",
     .value = text<&Settings::session>(Kind::text),
     .example = "s1",
     .completes = Completes::sessions,
     .without_value = "any"},
    {.group = OptionGroup::hosts,
     .names = "--wait",
     .key = "wait",
     .value = flag<&Settings::session_wait>(),
     .needs = Needs::session},
    {.group = OptionGroup::hosts,
     .names = "--share",
     .key = "share",
     .value = flag<&Settings::session_share>(),
     .needs = Needs::session},
    {.group = OptionGroup::hosts,
     .names = "--detach",
     .key = "detach",
     .value = flag<&Settings::detach>(),
     .needs = Needs::session},
    {.group = OptionGroup::hosts,
     .names = "--start-early",
     .key = "start-early",
     .value = flag<&Settings::policies, &Policies::start_early>()},
});

}  // namespace

std::span<const OptionRow> rows_of_hosts() {
    static constexpr auto complete = with_texts("hosts", rows);
    return complete;
}

}  // namespace launch
