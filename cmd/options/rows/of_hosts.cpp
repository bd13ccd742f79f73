// SPDX-License-Identifier: MIT
#include "cmd/options/bind.hpp"
#include "cmd/options/place_values.hpp"
#include "cmd/options/rows/rows.hpp"

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
     .help = "hosts to run on: a,b:4 or 'node[001-064]' (:4 is slots)",
     .manual = "The hosts to run on: names with commas, folded as in `'node[001-064,100]'`, each "
               "with its slots after a colon, a user before an `@`. It may be given several times. "
               "If there are several programs, each runs on the hosts of its own part of the "
               "command line. By default launch uses the hosts of the batch job that it runs in "
               "(`--allocation`), or else this machine. See `launch help hosts`.",
     .if_unset = "the hosts of a hostfile or batch job, or else this machine",
     .example = "node[001-004]",
     .family = "hosts"},
    {.group = OptionGroup::hosts,
     .scope = Scope::program,
     .names = "-f -hostfile -machinefile --hostfile",
     .key = "hostfile",
     .metavar = "FILE",
     .value = texts<&ProgramSettings::hostfiles>(Kind::path, standard_input_word),
     .help = "hosts from a file, one per line; - is standard input",
     .manual = "Reads the hosts from a file, one host or list on each line, in the form of MPICH "
               "(`host:4`) or Open MPI (`host slots=4`). `-` is standard input, which the ranks "
               "then do not get. Give a program this or `-hosts`, not both.",
     .if_unset = "no file is read",
     .example = "hosts",
     .family = "hosts"},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--allocation",
     .key = "allocation",
     .metavar = "NAME",
     .value = choice<allocation_choice_names, allocation_helps, &Settings::allocation>(),
     .help = "hosts of a batch job if none are named: auto, none, slurm, pbs, lsf...",
     .manual = "The batch job whose hosts and slots are used if no hosts are named. `auto`, the "
               "default, uses the batch job that launch runs in, if there is one; `none` uses "
               "none, so that ranks run on this machine; `slurm`, `pbs`, `lsf`, `sge`, `oar`, "
               "`cobalt` and `flux` require a job of that scheduler. Hosts that you name always "
               "win. `--dry-run --explain` and `-v` show the hosts and their source."},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--exclude",
     .key = "exclude",
     .metavar = "LIST",
     .value = texts<&Settings::excluded>(Kind::hosts),
     .help = "do not use these hosts",
     .manual = "Excludes these hosts from those that `-hosts` or `-f` name, or that a batch job or "
               "a session has. The list has the form of `-hosts`; it may be given several times. "
               "Both `localhost` and this machine's own name exclude this machine.",
     .if_unset = "no host is excluded",
     .example = "node003",
     .needs = Needs::hosts},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--max-hosts",
     .key = "max-hosts",
     .metavar = "N",
     .value = number_or_none<&Settings::max_hosts>(),
     .help = "use only the first N of the hosts",
     .manual = "Uses only the first N hosts: of those that `-hosts` or `-f` name, that a batch job "
               "has, or of a session's hosts those that are up and have free slots, without those "
               "that `--exclude` names. Use it to try a job on few hosts. A host that is named "
               "twice counts once; if programs have their own hosts, each uses its first N. By "
               "default, and with 0, all are used.",
     .if_unset = "all hosts are used",
     .example = "2",
     .needs = Needs::hosts},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "-ppn --ppn",
     .key = "ppn",
     .metavar = "N",
     .value = number_or_none<&Settings::ppn>(),
     .help = "number of ranks on each host, whatever its slots",
     .manual = "The number of ranks on each host, whatever its slots. Without `-n` every host gets "
               "that many; with `-n` hosts are filled until there are enough. By default, and with "
               "0, slots set the number.",
     .if_unset = "the slots of each host",
     .example = "2"},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "-map-by --map",
     .key = "map",
     .metavar = "HOW",
     .value = value_of<read_map_by, write_map_by, &Settings::mapping>(Kind::choice, map_by_words),
     .help = "block (slot), cyclic (node), core, l3, numa, socket, ppr:N:socket",
     .manual =
         "The hosts and CPUs of ranks: `block` (or `slot`), the default, fills a host before the "
         "next; `cyclic` (or `node`, `host`) gives each host one rank in turn. `core`, `l3`, "
         "`numa`, `socket` and the like give the ranks of a host to these parts of it in turn, and "
         "bind them there unless `--bind` is given; `socket:2` counts two sockets as one. "
         "`ppr:N:WHAT` gives N ranks to each part, as in `ppr:2:socket`, and `ppr:N:node` is `-ppn "
         "N`. A suffix may follow: `:PE=N` binds each rank to N cores, `:span` also gives ranks to "
         "the hosts in turn, and `:nooversubscribe` makes more ranks than slots an error."},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--allow-missing",
     .key = "allow-missing",
     .metavar = "",
     .value = flag<&Settings::allow_missing>(),
     .help = "continue without hosts that cannot be started",
     .manual =
         "Continues without hosts that cannot be started, and exits with the exit code of the "
         "ranks. Ranks are placed when every host is up or known to be missing. By default such a "
         "host ends the job before any rank runs. With `--spares` the spare hosts are used first."},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--spares",
     .key = "spares",
     .metavar = "N",
     .value = number_or_none<&Settings::spares>(),
     .help = "the last N hosts replace hosts that cannot be started",
     .manual = "Also starts the last N hosts of the list, without ranks; they replace hosts that "
               "cannot be started, and a note names them. By default, and with 0, there are no "
               "spare hosts, and a host that cannot be started ends the job.",
     .if_unset = "no spare hosts",
     .example = "1",
     .needs = Needs::hosts},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--session",
     .key = "session",
     .metavar = "NAME",
     .value = text<&Settings::session>(Kind::text),
     .help = "run on the hosts of a session; without a name, of the only one",
     .manual =
         "Runs the job on hosts of a session that `launch session start` has started, which takes "
         "milliseconds. Without a name, as in `--session -n 4 ./app`, where another option or `--` "
         "follows, it means the only session; the name `any` means the same. Without this option "
         "the variable LAUNCH_SESSION names the session. The job uses slots that no other job of "
         "the session has; `-hosts` and the like choose among the session's hosts. Options of the "
         "tree, such as `-k` and `--transport`, belong to the session. See `launch help sessions`.",
     .if_unset = "the job starts its own relays",
     .example = "s1",
     .completes = Completes::sessions,
     .without_value = "any"},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--wait",
     .key = "wait",
     .metavar = "",
     .value = flag<&Settings::session_wait>(),
     .help = "in a session: wait until enough slots are free (default)",
     .manual = "With `--session`: the job waits until enough slots are free, and names the jobs "
               "that have them. Waiting jobs begin in the order of their arrival, as far as they "
               "may use the same hosts. With `--no-wait` a job that would have to wait ends at "
               "once with exit code 69.",
     .needs = Needs::session},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--share",
     .key = "share",
     .metavar = "",
     .value = flag<&Settings::session_share>(),
     .help = "in a session: also use slots of other jobs",
     .manual = "With `--session`: treats all slots of the session's hosts as free, so that ranks "
               "may run beside those of other jobs.",
     .needs = Needs::session},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--detach",
     .key = "detach",
     .metavar = "",
     .value = flag<&Settings::detach>(),
     .help = "in a session: run in the background; see launch attach",
     .manual = "With `--session`: the job runs in the background as soon as it has its slots, with "
               "empty input. Its output, and launch's messages about it, go to a new file "
               "`launch-SESSION-JOB.out` in the current folder. `launch attach JOB` shows the "
               "output, and exits with the job's exit code.",
     .needs = Needs::session},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--start-early",
     .key = "start-early",
     .metavar = "",
     .value = flag<&Settings::policies, &Policies::start_early>(),
     .help = "ranks start when their own host is up, not when all are",
     .manual = "Ranks start as soon as their own host is ready, even if other hosts fail. By "
               "default no rank starts before every host is up and has passed the ready check for "
               "the program and its files. Use it if ranks do not depend on each other."},
});

}  // namespace

std::span<const OptionRow> rows_of_hosts() {
    return rows;
}

}  // namespace launch
