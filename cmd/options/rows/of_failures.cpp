// SPDX-License-Identifier: MIT
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
               "that failed. By default a failing rank ends the job."},
    {.group = OptionGroup::time,
     .scope = Scope::job,
     .names = "--on-host-loss",
     .key = "on-host-loss",
     .metavar = "WHAT",
     .value = choice<host_loss_names, host_loss_helps, &Settings::policies, &Policies::host_loss>(),
     .help = "abort (default), or continue with the ranks of the other hosts",
     .manual = "The effect of a host that is lost while the job runs: `abort`, the default, ends "
               "the job; `continue` lets the ranks of the other hosts run on. The exit code is 69 "
               "in both cases."},
    {.group = OptionGroup::time,
     .scope = Scope::job,
     .names = "--independent",
     .key = "independent",
     .metavar = "",
     .value = flag<&Settings::independent>(),
     .help = "hosts do not depend on each other, as with clush; lines begin with the host",
     .manual = "Runs the command on each host independently of the others, as clush, pdsh and "
               "parallel ssh do. It is short for `--keep-going --on-host-loss continue "
               "--allow-missing --label-pattern '%h: '`; if you give one of these options "
               "yourself, or take it back as with `--no-label`, yours wins. The exit code is that "
               "of the first rank that failed, or 69 if a host was lost; a host that could not be "
               "started is named, and does not change it.",
     .implies = of_independent},
    {.group = OptionGroup::time,
     .scope = Scope::job,
     .names = "--timeout",
     .key = "timeout",
     .metavar = "TIME",
     .value = time<&Settings::timeout>(),
     .help = "end the job after this time; 0, the default, is never",
     .manual =
         "Ends the job after this time, with exit code 124. By default, and with 0, the job may "
         "run without a limit, unless the variable `MPIEXEC_TIMEOUT` has a number of seconds."},
    {.group = OptionGroup::time,
     .scope = Scope::job,
     .names = "--kill-grace",
     .key = "kill-grace",
     .metavar = "TIME",
     .value = time<&Settings::policies, &Policies::kill_grace>(),
     .help = "time from asking a rank to end until killing it; by default 5",
     .manual =
         "The time from asking a rank to end (TERM) until killing it (KILL), by default 5 seconds; "
         "0 kills at once. If the reader of the output has stopped, launch waits for it as long."},
    {.group = OptionGroup::time,
     .scope = Scope::job,
     .names = "--connect-timeout",
     .key = "connect-timeout",
     .metavar = "TIME",
     .value = time_above_zero<&Settings::policies, &Policies::connect_timeout>(),
     .help = "time in which a host must answer; by default 10",
     .manual = "The time in which a host must answer, by default 10 seconds. A host that does not "
               "answer counts as one that cannot be started."},
    {.group = OptionGroup::time,
     .scope = Scope::job,
     .names = "--start-timeout",
     .key = "start-timeout",
     .metavar = "TIME",
     .value = time_above_zero<&Settings::policies, &Policies::start_timeout>(),
     .help = "time in which a host that answers must be ready; by default 60",
     .manual = "The time in which a host that answers must be ready, by default 60 seconds; if "
               "launch is sent to it, that long for each half megabyte."},
    {.group = OptionGroup::time,
     .scope = Scope::job,
     .names = "--start-limit",
     .key = "start-limit",
     .metavar = "TIME",
     .value = time<&Settings::start_limit>(),
     .help =
         "time until all hosts are up; 0: no limit; by default twice both timeouts + 1 s a host",
     .manual = "The time in which all hosts must be up, including all attempts. By default twice "
               "the sum of `--connect-timeout` and `--start-timeout`, plus 1 second for each host; "
               "0 sets no limit.",
     .if_unset = "2 x (connect-timeout + start-timeout) + 1 s a host",
     .example = "5m"},
    {.group = OptionGroup::time,
     .scope = Scope::job,
     .names = "--liveness",
     .key = "liveness",
     .metavar = "TIME",
     .value = time<&Settings::policies, &Policies::liveness>(),
     .help = "silence after which a host counts as lost; 0: never; by default 4",
     .manual = "The time of silence after which a host counts as lost, by default 4 seconds; 0 is "
               "never. While hosts are being started launch waits four times as long, and hosts "
               "wait 7.5 times as long for a head that has stopped. With a smaller value launch "
               "notices a dead host sooner, but also takes a busy host for dead sooner."},
});

}  // namespace

std::span<const OptionRow> rows_of_failures() {
    return rows;
}

}  // namespace launch
