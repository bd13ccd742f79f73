// SPDX-License-Identifier: MIT
#include "cmd/options/bind.hpp"
#include "cmd/options/format.hpp"
#include "cmd/options/rows/rows.hpp"
#include "cmd/options/rows/with_texts.hpp"
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
     .names = "-print-rank-map --display-map",
     .key = "display-map",
     .value = flag<&Settings::show_map>()},
    {.group = OptionGroup::streams,
     .names = "-l -prepend-rank --label",
     .key = "label",
     .value = flag<&Settings::output, &OutputSettings::label>(),
     .family = "label"},
    {.group = OptionGroup::streams,
     .names = "-prepend-pattern --label-pattern",
     .key = "label-pattern",
     .metavar = "PATTERN",
     .value =
         checked<objection_to_label, &Settings::output, &OutputSettings::label_pattern>(Kind::text),
     .example = "%h: ",
     .family = "label"},
    {.group = OptionGroup::streams,
     .names = "--color",
     .key = "color",
     .metavar = "WHEN",
     .value = choice<color_names, color_helps, &Settings::output, &OutputSettings::color>()},
    {.group = OptionGroup::streams,
     .names = "--stdin",
     .key = "stdin",
     .metavar = "RANK",
     .value = value_of<read_stdin_target, write_stdin_target, &Settings::stdin_target>(Kind::choice,
                                                                                       stdin_words),
     .example = "all"},
    {.group = OptionGroup::streams,
     .names = "-q --quiet",
     .key = "quiet",
     .value = flag<&Settings::quiet>()},
    {.group = OptionGroup::streams,
     .names = "-v --verbose",
     .key = "verbose",
     .value = flag<&Settings::policies, &Policies::verbose>()},
    {.group = OptionGroup::streams,
     .names = "--stats",
     .key = "stats",
     .metavar = "FORMAT",
     .value = format_among<text_and_json, &Settings::stats>(),
     .example = "text"},
    {.group = OptionGroup::streams,
     .names = "--report",
     .key = "report",
     .metavar = "FILE",
     .value = text<&Settings::report>(Kind::path),
     .example = "report.json"},
});

}  // namespace

std::span<const OptionRow> rows_of_streams() {
    static constexpr auto complete = with_texts("streams", rows);
    return complete;
}

}  // namespace launch
