#include "cmd/options/bind.hpp"
#include "cmd/options/rows/rows.hpp"

namespace launch {
namespace {

constexpr auto stats_names = std::to_array<std::string_view>({"text", "json"});

/// Or a rank.
Texts stdin_words() {
    return {"all", "none"};
}

constexpr auto rows = std::to_array<OptionRow>({
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "-print-rank-map --display-map",
     .key = "display-map",
     .metavar = "",
     .value = flag<&Settings::show_map>(),
     .help = "before the job runs, show on standard error which rank runs where"},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "-l -prepend-rank --label",
     .key = "label",
     .metavar = "",
     .value = flag<&Settings::policies, &Policies::label>(),
     .help = "put the rank before every line"},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "--stdin",
     .key = "stdin",
     .metavar = "RANK",
     .value = value_of<read_stdin_target, write_stdin_target, &Settings::stdin_target>(Kind::choice,
                                                                                       stdin_words),
     .help = "which rank reads standard input: a rank, all or none; by default 0"},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "-q --quiet",
     .key = "quiet",
     .metavar = "",
     .value = flag<&Settings::quiet>(),
     .help = "no notices and no progress"},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "-v --verbose",
     .key = "verbose",
     .metavar = "",
     .value = flag<&Settings::policies, &Policies::verbose>(),
     .help = "tell of each phase, and what is decided in it"},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "--stats",
     .key = "stats",
     .metavar = "FORMAT",
     .value = choice<stats_names, &Settings::stats>(),
     .help = "tell at the end, on standard error, what nodes have cost: text, json"},
});

}  // namespace

std::span<const OptionRow> rows_of_streams() {
    return rows;
}

}  // namespace launch
