// SPDX-License-Identifier: MIT
#include "cmd/options/bind.hpp"
#include "cmd/options/rows/rows.hpp"
#include "cmd/options/rows/with_texts.hpp"

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
     .names = "--keep-going",
     .key = "keep-going",
     .value = flag<&Settings::policies, &Policies::keep_going>()},
    {.group = OptionGroup::time,
     .names = "--on-host-loss",
     .key = "on-host-loss",
     .metavar = "WHAT",
     .value =
         choice<host_loss_names, host_loss_helps, &Settings::policies, &Policies::host_loss>()},
    {.group = OptionGroup::time,
     .names = "--independent",
     .key = "independent",
     .value = flag<&Settings::independent>(),
     .implies = of_independent},
    {.group = OptionGroup::time,
     .names = "--timeout",
     .key = "timeout",
     .metavar = "TIME",
     .value = time<&Settings::timeout>()},
    {.group = OptionGroup::time,
     .names = "--kill-grace",
     .key = "kill-grace",
     .metavar = "TIME",
     .value = time<&Settings::policies, &Policies::kill_grace>()},
    {.group = OptionGroup::time,
     .names = "--connect-timeout",
     .key = "connect-timeout",
     .metavar = "TIME",
     .value = time_above_zero<&Settings::policies, &Policies::connect_timeout>()},
    {.group = OptionGroup::time,
     .names = "--start-timeout",
     .key = "start-timeout",
     .metavar = "TIME",
     .value = time_above_zero<&Settings::policies, &Policies::start_timeout>()},
    {.group = OptionGroup::time,
     .names = "--start-limit",
     .key = "start-limit",
     .metavar = "TIME",
     .value = time<&Settings::start_limit>(),
     .example = "5m"},
    {.group = OptionGroup::time,
     .names = "--liveness",
     .key = "liveness",
     .metavar = "TIME",
     .value = time<&Settings::policies, &Policies::liveness>()},
});

}  // namespace

std::span<const OptionRow> rows_of_failures() {
    static constexpr auto complete = with_texts("failures", rows);
    return complete;
}

}  // namespace launch
