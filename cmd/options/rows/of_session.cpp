// SPDX-License-Identifier: MIT
#include "cmd/options/bind.hpp"
#include "cmd/options/rows/rows.hpp"

namespace launch {
namespace {

constexpr auto rows = std::to_array<OptionRow>({
    {.group = OptionGroup::hosts,
     .scope = Scope::invocation,
     .names = "--name",
     .key = "name",
     .metavar = "NAME",
     .value = text<&Settings::session_name>(Kind::text),
     .help = "name of the session",
     .manual = "The name by which jobs choose the session: letters, digits and `_.-`.",
     .if_unset = "s1, or the next free name of this kind",
     .example = "work"},
    {.group = OptionGroup::hosts,
     .scope = Scope::invocation,
     .names = "--idle",
     .key = "idle",
     .metavar = "TIME",
     .value = time<&Settings::session_idle>(),
     .help = "end the session when no job has run for this time",
     .manual = "Ends the session when no job has run on it for this time: 8 hours by default, 0 "
               "for never."},
});

}  // namespace

std::span<const OptionRow> rows_of_session() {
    return rows;
}

}  // namespace launch
