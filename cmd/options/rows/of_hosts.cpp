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
    "of the scheduler whose job launch is in, the default",
    "of none: ranks run on this machine",
    "of Slurm",
    "of PBS: Torque, PBS Pro, OpenPBS",
    "of LSF",
    "of Grid Engine: SGE, UGE, OGE",
    "of OAR",
    "of Cobalt",
    "of Flux, which is asked for them",
});

constexpr auto rows = std::to_array<OptionRow>({
    {.group = OptionGroup::hosts,
     .scope = Scope::program,
     .names = "-host -hosts --hosts",
     .key = "hosts",
     .metavar = "LIST",
     .value = texts<&ProgramSettings::host_lists>(Kind::hosts),
     .help = "hosts to run on: a,b:4 or 'node[001-064]' (:4 is slots)",
     .manual = "The hosts to run on: names with commas between them, folded as in "
               "`'node[001-064,100]'`, each with its slots after a colon, a user before an `@`. It "
               "may be given several times. Of several programs each runs on the hosts of its own "
               "part of the line. By default they are those of the batch job that launch runs in "
               "(`--allocation`), or else this machine. See `launch help hosts`.",
     .if_unset = "those of a hostfile or of the batch job, or else this machine",
     .example = "node[001-004]",
     .family = "hosts"},
    {.group = OptionGroup::hosts,
     .scope = Scope::program,
     .names = "-f -hostfile -machinefile --hostfile",
     .key = "hostfile",
     .metavar = "FILE",
     .value = texts<&ProgramSettings::hostfiles>(Kind::path, standard_input_word),
     .help = "hosts from a file, one a line; - is standard input",
     .manual = "Reads the hosts from a file, one host or list on a line, in the form of MPICH "
               "(`host:4`) or Open MPI (`host slots=4`). `-` is standard input, which the ranks "
               "then do not get. A program names its hosts by this or by `-hosts`, not by both.",
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
     .manual =
         "Whose hosts and slots are used where no hosts are named. `auto`, the default, "
         "takes those of the batch job that launch runs in, if there is one; `none` takes "
         "none, so that ranks run on this machine; `slurm`, `pbs`, `lsf`, `sge`, `oar`, "
         "`cobalt` and `flux` demand a job of that scheduler. Hosts that are named always win. "
         "`--dry-run --explain` and `-v` tell what was taken, and by what."},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--exclude",
     .key = "exclude",
     .metavar = "LIST",
     .value = texts<&Settings::excluded>(Kind::hosts),
     .help = "leave these of the hosts out",
     .manual =
         "Leaves these hosts out of those that `-hosts` or `-f` name, or that a batch job or a "
         "session has. "
         "The list is written as that of `-hosts`; it may be given several times. This machine is "
         "meant by `localhost` as by its own name.",
     .if_unset = "no host is left out",
     .example = "node003",
     .needs = Needs::hosts},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--max-hosts",
     .key = "max-hosts",
     .metavar = "N",
     .value = number_or_none<&Settings::max_hosts>(),
     .help = "use no more than the first N of the hosts",
     .manual =
         "Uses no more than the first N of the hosts that `-hosts` or `-f` name, or that a batch "
         "job has, or of a session those that are up and have free slots, without "
         "those that `--exclude` leaves out: to try a job on few of them. A host that is "
         "named twice counts once; of several programs with hosts of their own each uses "
         "its first N. By default, and with 0, all are used.",
     .if_unset = "all of them are used",
     .example = "2",
     .needs = Needs::hosts},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "-ppn --ppn",
     .key = "ppn",
     .metavar = "N",
     .value = number_or_none<&Settings::ppn>(),
     .help = "ranks on each host, whatever its slots",
     .manual =
         "The number of ranks on each host, whatever its slots. Without `-n` there are that many "
         "on every host; with `-n` hosts are filled up to it. By default, and with 0, slots "
         "say it.",
     .if_unset = "as the slots of each host say",
     .example = "2"},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "-map-by --map",
     .key = "map",
     .metavar = "HOW",
     .value = value_of<read_map_by, write_map_by, &Settings::mapping>(Kind::choice, map_by_words),
     .help = "block (slot), cyclic (node), core, l3, numa, socket, ppr:N:socket",
     .manual =
         "Which rank goes where: `block` (or `slot`), the default, fills a host before the "
         "next; `cyclic` (or `node`, `host`) gives one to each host in turn. `core`, `l3`, `numa`, "
         "`socket` and the like give the ranks of a host to these parts of it in turn, and bind "
         "them there if `--bind` says nothing, `socket:2` takes two sockets as one; `ppr:N:WHAT` "
         "gives N to each, as `ppr:2:socket`, and `ppr:N:node` is `-ppn N`. `:PE=N` after it binds "
         "each rank to N cores, `:span` deals ranks over the hosts in turn, too, and "
         "`:nooversubscribe` makes an error of more ranks than slots."},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--allow-missing",
     .key = "allow-missing",
     .metavar = "",
     .value = flag<&Settings::allow_missing>(),
     .help = "go on without hosts that cannot be started",
     .manual = "Goes on without hosts that cannot be started, and exits as the ranks do. Ranks are "
               "placed when every host is up or known to be missing. By default such a host ends "
               "the job before any rank runs. With `--spares` the spare hosts are used up first."},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--spares",
     .key = "spares",
     .metavar = "N",
     .value = number_or_none<&Settings::spares>(),
     .help = "the last N hosts take the places of hosts that cannot be started",
     .manual = "Starts the last N hosts of the list as well, without ranks; they take the places "
               "of hosts that cannot be started, and a note says which. By default there are none, "
               "which `--spares 0` also says, and a host that cannot be started ends the job.",
     .if_unset = "none",
     .example = "1",
     .needs = Needs::hosts},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--session",
     .key = "session",
     .metavar = "NAME",
     .value = text<&Settings::session>(Kind::text),
     .help = "run on hosts of a session, or without a name of the only one",
     .manual =
         "Runs the job on hosts of a session that `launch session start` has brought up, which "
         "takes milliseconds. Without a name, as in `--session -n 4 ./app`, where another option "
         "or `--` follows at once, it is the only session that there is; so it is by the name "
         "`any`. LAUNCH_SESSION names one where no option does. The job takes slots that no other "
         "job of the session has; "
         "`-hosts` and the like choose among the session's hosts. What belongs to the tree, as "
         "`-k` or `--transport`, is the session's. See `launch help sessions`.",
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
     .help = "in a session: wait until enough slots are free, as by default",
     .manual = "With `--session`: the job waits until other jobs have left enough slots free, and "
               "says who has them. Jobs that wait begin in the order in which they came, as far as "
               "they may use the same hosts. With `--no-wait` a job that does not fit ends at once "
               "with exit code 69.",
     .needs = Needs::session},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--share",
     .key = "share",
     .metavar = "",
     .value = flag<&Settings::session_share>(),
     .help = "in a session: use slots that other jobs have, too",
     .manual = "With `--session`: counts all slots of the session's hosts as free, so that ranks "
               "may run beside those of other jobs.",
     .needs = Needs::session},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--detach",
     .key = "detach",
     .metavar = "",
     .value = flag<&Settings::detach>(),
     .help = "in a session: run in the background; see launch attach",
     .manual = "With `--session`: the job goes on in the background when it has its slots, with "
               "nothing as its input. Its output, and what launch says of it, go to the file "
               "`launch-SESSION-JOB.out` in the current folder, which never overwrites another. "
               "`launch attach JOB` shows it, and ends with the job's exit code.",
     .needs = Needs::session},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--start-early",
     .key = "start-early",
     .metavar = "",
     .value = flag<&Settings::policies, &Policies::start_early>(),
     .help = "ranks start as soon as their own host is up, not when all are",
     .manual = "Ranks start as soon as their own host is ready, whatever becomes of the others. By "
               "default no rank starts before every host is up and has been seen to have the "
               "program and its files. Use it where ranks have nothing to do with each other."},
});

}  // namespace

std::span<const OptionRow> rows_of_hosts() {
    return rows;
}

}  // namespace launch
