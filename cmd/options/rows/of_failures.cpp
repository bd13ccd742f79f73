#include "cmd/options/bind.hpp"
#include "cmd/options/rows/rows.hpp"

namespace launch {
namespace {

constexpr auto rows = std::to_array<OptionRow>({
    {.group = OptionGroup::time,
     .scope = Scope::job,
     .names = "--keep-going",
     .key = "keep-going",
     .metavar = "",
     .value = flag<&Settings::policies, &Policies::keep_going>(),
     .help = "a rank that fails does not end the others"},
    {.group = OptionGroup::time,
     .scope = Scope::job,
     .names = "--on-host-loss",
     .key = "on-host-loss",
     .metavar = "WHAT",
     .value = choice<host_loss_names, &Settings::policies, &Policies::host_loss>(),
     .help = "abort the job, the default, or continue with the ranks of the others"},
    {.group = OptionGroup::time,
     .scope = Scope::job,
     .names = "--timeout",
     .key = "timeout",
     .metavar = "TIME",
     .value = time<&Settings::timeout>(),
     .help = "end the job after this time"},
    {.group = OptionGroup::time,
     .scope = Scope::job,
     .names = "--kill-grace",
     .key = "kill-grace",
     .metavar = "TIME",
     .value = time<&Settings::policies, &Policies::kill_grace>(),
     .help = "between asking a rank to end and killing it; by default 5"},
    {.group = OptionGroup::time,
     .scope = Scope::job,
     .names = "--connect-timeout",
     .key = "connect-timeout",
     .metavar = "TIME",
     .value = time_above_zero<&Settings::policies, &Policies::connect_timeout>(),
     .help = "until a host must answer; by default 10"},
    {.group = OptionGroup::time,
     .scope = Scope::job,
     .names = "--start-timeout",
     .key = "start-timeout",
     .metavar = "TIME",
     .value = time_above_zero<&Settings::policies, &Policies::start_timeout>(),
     .help = "until a host that answers must be ready; by default 60"},
    {.group = OptionGroup::time,
     .scope = Scope::job,
     .names = "--start-limit",
     .key = "start-limit",
     .metavar = "TIME",
     .value = time<&Settings::start_limit>(),
     .help = "until all hosts are up, 0 for never; by default 2 x both + 1 a host"},
    {.group = OptionGroup::time,
     .scope = Scope::job,
     .names = "--liveness",
     .key = "liveness",
     .metavar = "TIME",
     .value = time<&Settings::policies, &Policies::liveness>(),
     .help = "silence after which a host is given up, 0 for never; by default 4"},
});

}  // namespace

std::span<const OptionRow> rows_of_failures() {
    return rows;
}

}  // namespace launch
