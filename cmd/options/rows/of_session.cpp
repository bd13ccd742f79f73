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
     .help = "what the session is called",
     .manual = "The name of the session, by which jobs choose it: letters, digits and `_.-`.",
     .if_unset = "s1, or the next such name that is free",
     .example = "work"},
    {.group = OptionGroup::hosts,
     .scope = Scope::invocation,
     .names = "--idle",
     .key = "idle",
     .metavar = "TIME",
     .value = time<&Settings::session_idle>(),
     .help = "end the session when no job has run for so long",
     .manual = "Ends the session when no job has run on it for so long: 8 hours by default, 0 for "
               "never."},
});

}  // namespace

std::span<const OptionRow> rows_of_session() {
    return rows;
}

}  // namespace launch
