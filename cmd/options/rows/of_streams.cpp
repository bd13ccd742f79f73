// SPDX-License-Identifier: MIT
#include "cmd/options/bind.hpp"
#include "cmd/options/format.hpp"
#include "cmd/options/rows/rows.hpp"
#include "core/job/output_pattern.hpp"

namespace launch {
namespace {

constexpr auto color_names = std::to_array<std::string_view>({"auto", "always", "never"});

constexpr auto color_helps = std::to_array<std::string_view>(
    {"on a terminal, unless NO_COLOR is set", "also in files and pipes", "plain text"});

std::string objection_to_label(std::string_view text) {
    OutputPattern pattern;
    return OutputPattern::read(text, pattern);
}

/// Or a rank.
ChoiceWords stdin_words() {
    return {{"all", "every rank reads all of it"}, {"none", "no rank reads it"}};
}

constexpr auto rows = std::to_array<OptionRow>({
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "-print-rank-map --display-map",
     .key = "display-map",
     .metavar = "",
     .value = flag<&Settings::show_map>(),
     .help = "before the job runs, show on standard error which rank runs where",
     .manual = "Shows on standard error, before the job runs, which rank runs where, and the tree, "
               "as `--dry-run` prints them. By default nothing is shown."},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "-l -prepend-rank --label",
     .key = "label",
     .metavar = "",
     .value = flag<&Settings::output, &OutputSettings::label>(),
     .help = "put the rank before every line",
     .manual = "Puts the rank in brackets before every line of output: `[3] text`. "
               "`--label-pattern` puts other text there. By default lines have no label.",
     .family = "label"},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "-prepend-pattern --label-pattern",
     .key = "label-pattern",
     .metavar = "PATTERN",
     .value =
         checked<objection_to_label, &Settings::output, &OutputSettings::label_pattern>(Kind::text),
     .help = "put this before every line: %r is the rank, %h the host, %{time} the time",
     .manual =
         "Puts this text before every line of output. Its fields are `%r` the rank, `%R` the rank "
         "with leading zeros, `%l` the rank on its host, `%h` the host, `%N` its short name, `%p` "
         "its number, `%j` the job, and `%{program}`, `%{stream}`, `%{size}`, `%{date}`, "
         "`%{time}`; `%%` is a %. By default there is no label; the label of `-l` is `[%r] `.",
     .if_unset = "no label, or that of -l",
     .example = "%h: ",
     .family = "label"},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "--color",
     .key = "color",
     .metavar = "WHEN",
     .value = choice<color_names, color_helps, &Settings::output, &OutputSettings::color>(),
     .help = "labels in the color of the rank: auto, always, never",
     .manual = "Whether labels have the color of their rank: `auto`, the default, if output goes "
               "to a terminal and the variable `NO_COLOR` is not set; `always`; or `never`."},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "--stdin",
     .key = "stdin",
     .metavar = "RANK",
     .value = value_of<read_stdin_target, write_stdin_target, &Settings::stdin_target>(Kind::choice,
                                                                                       stdin_words),
     .help = "which rank reads standard input: a rank, all or none; by default 0",
     .manual = "The rank that reads standard input: its number, `all` or `none`. By default rank "
               "0. launch reads its input only when the rank does.",
     .if_unset = "rank 0",
     .example = "all"},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "-q --quiet",
     .key = "quiet",
     .metavar = "",
     .value = flag<&Settings::quiet>(),
     .help = "no notices and no progress",
     .manual = "Prints no notices and shows no progress. Errors are still printed."},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "-v --verbose",
     .key = "verbose",
     .metavar = "",
     .value = flag<&Settings::policies, &Policies::verbose>(),
     .help = "describe each phase and its decisions",
     .manual = "Describes each phase of the job on standard error, and the decisions in it: hosts, "
               "sends, limits, links."},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "--stats",
     .key = "stats",
     .metavar = "FORMAT",
     .value = format_among<text_and_json, &Settings::stats>(),
     .help = "print at the end, on standard error, the cost of nodes: text, json",
     .manual = "Prints at the end, on standard error, how much memory, CPU time and messages the "
               "nodes of the tree used: `text` is a summary, `json` lists every node on one line. "
               "By default nothing is printed.",
     .if_unset = "nothing is printed",
     .example = "text"},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "--report",
     .key = "report",
     .metavar = "FILE",
     .value = text<&Settings::report>(Kind::path),
     .help = "write at the end a JSON report of hosts and ranks, with times and cost",
     .manual = "Writes a JSON report at the end of the job: when each host was dialled, logged "
               "into and up, and the host, process, times, exit, CPU time, peak memory and bytes "
               "of output of each rank (`launch help json`). `launch report FILE` draws it. An "
               "existing file is replaced.",
     .if_unset = "no report is written",
     .example = "report.json"},
});

}  // namespace

std::span<const OptionRow> rows_of_streams() {
    return rows;
}

}  // namespace launch
