// SPDX-License-Identifier: MIT
// Where the output of ranks goes.

#include "cmd/options/bind.hpp"
#include "cmd/options/rows/rows.hpp"
#include "cmd/options/rows/with_texts.hpp"
#include "core/job/output_pattern.hpp"

namespace launch {
namespace {

/// A file would change its name with time.
std::string objection_to_path(std::string_view text) {
    OutputPattern pattern;
    auto objection = OutputPattern::read(text, pattern);
    if (!objection.empty()) return objection;
    const bool changes = pattern.has(OutputField::time) || pattern.has(OutputField::date);
    return changes ? "a file's name has no time in it; %j is unlike that of any other job" : "";
}

constexpr auto rows = std::to_array<OptionRow>({
    {.group = OptionGroup::streams,
     .names = "--outdir --output-dir",
     .key = "output-dir",
     .metavar = "DIR",
     .value = checked<objection_to_path, &Settings::output, &OutputSettings::dir>(Kind::path),
     .example = "runs/%j",
     .completes = Completes::folders},
    {.group = OptionGroup::streams,
     .names = "--output-pattern",
     .key = "output-pattern",
     .metavar = "PATTERN",
     .value = checked<objection_to_path, &Settings::output, &OutputSettings::pattern>(Kind::text),
     .example = "%h/%r.%{stream}"},
    {.group = OptionGroup::streams,
     .names = "--outfile -outfile-pattern",
     .key = "outfile-pattern",
     .metavar = "PATTERN",
     .value = checked<objection_to_path, &Settings::output, &OutputSettings::outfile_pattern>(
         Kind::text),
     .example = "out.%r"},
    {.group = OptionGroup::streams,
     .names = "--errfile -errfile-pattern",
     .key = "errfile-pattern",
     .metavar = "PATTERN",
     .value = checked<objection_to_path, &Settings::output, &OutputSettings::errfile_pattern>(
         Kind::text),
     .example = "err.%h"},
    {.group = OptionGroup::streams,
     .names = "--output-there",
     .key = "output-there",
     .value = flag<&Settings::output, &OutputSettings::there>()},
    {.group = OptionGroup::streams,
     .names = "--output-copy",
     .key = "output-copy",
     .value = flag<&Settings::output, &OutputSettings::copy>()},
    {.group = OptionGroup::streams,
     .names = "--output-replace",
     .key = "output-replace",
     .value = flag<&Settings::output, &OutputSettings::replace>()},
    {.group = OptionGroup::streams,
     .names = "--gather",
     .key = "gather",
     .value = flag<&Settings::output, &OutputSettings::gather>()},
    {.group = OptionGroup::streams,
     .names = "--diff",
     .key = "diff",
     .value = flag<&Settings::output, &OutputSettings::diff>()},
    {.group = OptionGroup::streams,
     .names = "--pty",
     .key = "pty",
     .value = flag<&Settings::output, &OutputSettings::pty>()},
});

}  // namespace

std::span<const OptionRow> rows_of_output() {
    static constexpr auto complete = with_texts("output", rows);
    return complete;
}

}  // namespace launch
