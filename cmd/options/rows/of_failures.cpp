#include "cmd/options/bind.hpp"
#include "cmd/options/rows/rows.hpp"

namespace launch {
namespace {

constexpr auto host_loss_helps = std::to_array<std::string_view>(
    {"end the job, the default", "let the ranks of the other hosts run on"});

constexpr auto of_independent = std::to_array<Implied>({
    {"keep-going", "true"},
    {"on-host-loss", "continue"},
    {"allow-missing", "true"},
    {"label-pattern", "%h: "},
});

constexpr auto rows = std::to_array<OptionRow>({
    {.group = OptionGroup::time,
     .scope = Scope::job,
     .names = "--keep-going",
     .key = "keep-going",
     .metavar = "",
     .value = flag<&Settings::policies, &Policies::keep_going>(),
     .help = "a rank that fails does not end the others",
     .manual = "A rank that fails does not end the others. The exit code is that of the first rank "
               "that failed. By default such a rank ends the job."},
    {.group = OptionGroup::time,
     .scope = Scope::job,
     .names = "--on-host-loss",
     .key = "on-host-loss",
     .metavar = "WHAT",
     .value = choice<host_loss_names, host_loss_helps, &Settings::policies, &Policies::host_loss>(),
     .help = "abort the job, the default, or continue with the ranks of the others",
     .manual = "What a host that is lost while the job runs does to it: `abort`, the default, ends "
               "the job; `continue` lets the ranks of the other hosts run on. The exit code is 69 "
               "in both cases."},
    {.group = OptionGroup::time,
     .scope = Scope::job,
     .names = "--independent",
     .key = "independent",
     .metavar = "",
     .value = flag<&Settings::independent>(),
     .help = "no host waits for another to succeed, as with clush; lines begin with the host",
     .manual =
         "Runs the command on each host whatever becomes of the others, as clush, pdsh and "
         "parallel ssh do. It is short for `--keep-going --on-host-loss continue --allow-missing "
         "--label-pattern '%h: '`; each of them that is given too, or taken back as by "
         "`--no-label`, wins. The exit code is that of the first rank that failed, or 69 if a host "
         "was lost; a host that could not be started is named, and does not change it.",
     .implies = of_independent},
    {.group = OptionGroup::time,
     .scope = Scope::job,
     .names = "--timeout",
     .key = "timeout",
     .metavar = "TIME",
     .value = time<&Settings::timeout>(),
     .help = "end the job after this time; 0, the default, for never",
     .manual =
         "Ends the job after this time, with exit code 124. By default, which is 0, there is no "
         "end, unless the variable `MPIEXEC_TIMEOUT` names a number of seconds."},
    {.group = OptionGroup::time,
     .scope = Scope::job,
     .names = "--kill-grace",
     .key = "kill-grace",
     .metavar = "TIME",
     .value = time<&Settings::policies, &Policies::kill_grace>(),
     .help = "between asking a rank to end and killing it; by default 5",
     .manual = "The time between asking a rank to end (TERM) and killing it (KILL), by default 5 "
               "seconds; 0 kills at once. A reader of the output that has stopped reading is "
               "waited for as long."},
    {.group = OptionGroup::time,
     .scope = Scope::job,
     .names = "--connect-timeout",
     .key = "connect-timeout",
     .metavar = "TIME",
     .value = time_above_zero<&Settings::policies, &Policies::connect_timeout>(),
     .help = "until a host must answer; by default 10",
     .manual = "The time in which a host must answer, by default 10 seconds. A host that does not "
               "is one that cannot be started."},
    {.group = OptionGroup::time,
     .scope = Scope::job,
     .names = "--start-timeout",
     .key = "start-timeout",
     .metavar = "TIME",
     .value = time_above_zero<&Settings::policies, &Policies::start_timeout>(),
     .help = "until a host that answers must be ready; by default 60",
     .manual = "The time in which a host that answers must be ready, by default 60 seconds; where "
               "launch is sent to it, as long for each half megabyte."},
    {.group = OptionGroup::time,
     .scope = Scope::job,
     .names = "--start-limit",
     .key = "start-limit",
     .metavar = "TIME",
     .value = time<&Settings::start_limit>(),
     .help = "until all hosts are up, 0 for never; by default 2 x both + 1 a host",
     .manual = "The time in which all hosts must be up, whatever is tried for them. By default "
               "twice `--connect-timeout` and `--start-timeout` together, and 1 second for each "
               "host; 0 waits without an end.",
     .if_unset = "2 x (connect-timeout + start-timeout) + 1 s a host",
     .example = "5m"},
    {.group = OptionGroup::time,
     .scope = Scope::job,
     .names = "--liveness",
     .key = "liveness",
     .metavar = "TIME",
     .value = time<&Settings::policies, &Policies::liveness>(),
     .help = "silence after which a host is given up, 0 for never; by default 4",
     .manual = "The silence after which a host is given up, by default 4 seconds; 0 never gives "
               "up. While hosts are being started four times as long is waited, and hosts wait for "
               "the head, once it has stopped, 7.5 times as long. A smaller value notices a dead "
               "host sooner, and takes a busy one for dead sooner."},
});

}  // namespace

std::span<const OptionRow> rows_of_failures() {
    return rows;
}

}  // namespace launch
