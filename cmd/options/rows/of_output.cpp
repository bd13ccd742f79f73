// SPDX-License-Identifier: MIT
#include "cmd/options/bind.hpp"
#include "cmd/options/rows/rows.hpp"
#include "cmd/options/values.hpp"
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

/// A file would change its name with time.
std::string objection_to_path(std::string_view text) {
    OutputPattern pattern;
    auto objection = OutputPattern::read(text, pattern);
    if (!objection.empty()) return objection;
    const bool changes = pattern.has(OutputField::time) || pattern.has(OutputField::date);
    return changes ? "a file's name has no time in it; %j is unlike that of any other job" : "";
}

constexpr auto streams_rows = std::to_array<OptionRow>({
    {.names = "-print-rank-map --display-map", .value = flag<&Settings::show_map>()},
    {.names = "-l -prepend-rank --label",
     .value = flag<&Settings::output, &OutputSettings::label>(),
     .family = "label"},
    {.names = "-prepend-pattern --label-pattern",
     .metavar = "PATTERN",
     .value =
         checked<objection_to_label, &Settings::output, &OutputSettings::label_pattern>(Kind::text),
     .example = "%h: ",
     .family = "label"},
    {.names = "--color",
     .metavar = "WHEN",
     .value = choice<color_names, color_helps, &Settings::output, &OutputSettings::color>()},
    {.names = "--stdin",
     .metavar = "RANK",
     .value = value_with<read_stdin_target, write_stdin_target, &Settings::stdin_target>(
         Kind::choice, stdin_words),
     .example = "all"},
    {.names = "-q --quiet", .value = flag<&Settings::quiet>()},
    {.names = "-v --verbose", .value = flag<&Settings::policies, &Policies::verbose>()},
    {.names = "--stats",
     .metavar = "FORMAT",
     .value = format_among<text_and_json, &Settings::stats>(),
     .example = "text"},
    {.names = "--report",
     .metavar = "FILE",
     .value = text<&Settings::report>(Kind::path),
     .example = "report.json"},
    {.names = "--outdir --output-dir",
     .metavar = "DIR",
     .value = checked<objection_to_path, &Settings::output, &OutputSettings::dir>(Kind::path),
     .example = "runs/%j",
     .completes = Completes::folders},
    {.names = "--output-pattern",
     .metavar = "PATTERN",
     .value = checked<objection_to_path, &Settings::output, &OutputSettings::pattern>(Kind::text),
     .example = "%h/%r.%{stream}"},
    {.names = "--outfile -outfile-pattern",
     .metavar = "PATTERN",
     .value = checked<objection_to_path, &Settings::output, &OutputSettings::outfile_pattern>(
         Kind::text),
     .example = "out.%r"},
    {.names = "--errfile -errfile-pattern",
     .metavar = "PATTERN",
     .value = checked<objection_to_path, &Settings::output, &OutputSettings::errfile_pattern>(
         Kind::text),
     .example = "err.%h"},
    {.names = "--output-there", .value = flag<&Settings::output, &OutputSettings::there>()},
    {.names = "--output-copy", .value = flag<&Settings::output, &OutputSettings::copy>()},
    {.names = "--output-replace", .value = flag<&Settings::output, &OutputSettings::replace>()},
    {.names = "--gather", .value = flag<&Settings::output, &OutputSettings::gather>()},
    {.names = "--diff", .value = flag<&Settings::output, &OutputSettings::diff>()},
    {.names = "--pty", .value = flag<&Settings::output, &OutputSettings::pty>()},
    {.names = "--debugger",
     .metavar = "COMMAND",
     .value = text<&Settings::policies, &Policies::debugger>(Kind::text),
     .example = "gdb"},
    {.names = "--tools", .value = flag<&Settings::policies, &Policies::tools>()},
});

}  // namespace

std::span<const OptionRow> rows_of_streams() {
    static constexpr auto complete =
        complete_rows("streams", OptionGroup::streams, Scope::job, streams_rows);
    return complete;
}

}  // namespace launch
