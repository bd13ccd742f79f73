#include "cmd/options/bind.hpp"
#include "cmd/options/rows/rows.hpp"

namespace launch {
namespace {

/// The hosts come from standard input.
Texts standard_input_word() {
    return {"-"};
}

constexpr auto rows = std::to_array<OptionRow>({
    {.group = OptionGroup::hosts,
     .scope = Scope::program,
     .names = "-host -hosts --hosts",
     .key = "hosts",
     .metavar = "LIST",
     .value = texts<&ProgramSettings::host_lists>(Kind::hosts),
     .help = "hosts to run on: a,b:4 or 'node[001-064]' (:4 is slots)",
     .family = "hosts"},
    {.group = OptionGroup::hosts,
     .scope = Scope::program,
     .names = "-f -hostfile -machinefile --hostfile",
     .key = "hostfile",
     .metavar = "FILE",
     .value = texts<&ProgramSettings::hostfiles>(Kind::path, standard_input_word),
     .help = "hosts from a file, one a line; - is standard input",
     .family = "hosts"},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--exclude",
     .key = "exclude",
     .metavar = "LIST",
     .value = texts<&Settings::excluded>(Kind::hosts),
     .help = "leave these of the hosts out"},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "-ppn --ppn",
     .key = "ppn",
     .metavar = "N",
     .value = number<&Settings::ppn>(),
     .help = "ranks on each host, whatever its slots"},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "-map-by --map",
     .key = "map",
     .metavar = "HOW",
     .value =
         value_of<read_mapping, write_mapping, &Settings::mapping>(Kind::choice, mapping_words),
     .help = "block (slot): fill a host, then the next; cyclic (node): in turn"},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--allow-missing",
     .key = "allow-missing",
     .metavar = "",
     .value = flag<&Settings::allow_missing>(),
     .help = "go on without hosts that cannot be started"},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--spares",
     .key = "spares",
     .metavar = "N",
     .value = number<&Settings::spares>(),
     .help = "the last N hosts take the places of hosts that cannot be started"},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--start-early",
     .key = "start-early",
     .metavar = "",
     .value = flag<&Settings::policies, &Policies::start_early>(),
     .help = "ranks start as soon as their own host is up, not when all are"},
});

}  // namespace

std::span<const OptionRow> rows_of_hosts() {
    return rows;
}

}  // namespace launch
