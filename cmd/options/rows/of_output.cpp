// SPDX-License-Identifier: MIT
// Where the output of ranks goes.

#include "cmd/options/bind.hpp"
#include "cmd/options/rows/rows.hpp"
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
     .scope = Scope::job,
     .names = "--outdir --output-dir",
     .key = "output-dir",
     .metavar = "DIR",
     .value = checked<objection_to_path, &Settings::output, &OutputSettings::dir>(Kind::path),
     .help = "write output to files in this folder, one for each rank and stream",
     .manual = "Writes the output of ranks to files in this folder instead of the screen "
               "(`--output-copy`: to both), and makes the folder if it does not exist. "
               "`--output-pattern` names the files. The folder may contain fields, such as "
               "`runs/%j`. An existing file is an error before anything starts (`--output-replace` "
               "overwrites it). By default output goes to the screen.",
     .if_unset = "the screen",
     .example = "runs/%j",
     .completes = Completes::folders},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "--output-pattern",
     .key = "output-pattern",
     .metavar = "PATTERN",
     .value = checked<objection_to_path, &Settings::output, &OutputSettings::pattern>(Kind::text),
     .help = "names of the files of --output-dir; by default %R.%{stream}",
     .manual = "The names of the files of `--output-dir`: a text with the fields of "
               "`--label-pattern`, also with folders in it. By default `%R.%{stream}`: `007.out` "
               "and `007.err`. Ranks and streams with the same name share a file, line by line.",
     .if_unset = "%R.%{stream}",
     .example = "%h/%r.%{stream}"},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "--outfile -outfile-pattern",
     .key = "outfile-pattern",
     .metavar = "PATTERN",
     .value = checked<objection_to_path, &Settings::output, &OutputSettings::outfile_pattern>(
         Kind::text),
     .help = "write standard output to files of these names, such as out.%r",
     .manual = "Writes standard output of ranks to files of these names, as MPICH's mpiexec does: "
               "`out.%r`. The fields are those of `--label-pattern`. With `--output-dir` the files "
               "are in its folder. By default output goes to the screen.",
     .if_unset = "the screen",
     .example = "out.%r"},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "--errfile -errfile-pattern",
     .key = "errfile-pattern",
     .metavar = "PATTERN",
     .value = checked<objection_to_path, &Settings::output, &OutputSettings::errfile_pattern>(
         Kind::text),
     .help = "write standard error to files of these names, such as err.%h",
     .manual = "Does for standard error what `-outfile-pattern` does for standard output.",
     .if_unset = "the screen",
     .example = "err.%h"},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "--output-there",
     .key = "output-there",
     .metavar = "",
     .value = flag<&Settings::output, &OutputSettings::there>(),
     .help = "write these files on the hosts of the ranks, not here",
     .manual = "Writes the files of `--output-dir`, or of a pattern, on the hosts of the ranks; no "
               "output goes through the tree. By default the files are here."},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "--output-copy",
     .key = "output-copy",
     .metavar = "",
     .value = flag<&Settings::output, &OutputSettings::copy>(),
     .help = "also show output on the screen",
     .manual =
         "Shows output that goes to files also on the screen. By default it goes to files only."},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "--output-replace",
     .key = "output-replace",
     .metavar = "",
     .value = flag<&Settings::output, &OutputSettings::replace>(),
     .help = "overwrite existing output files",
     .manual =
         "Overwrites existing output files. By default they are an error, and nothing is started."},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "--gather",
     .key = "gather",
     .metavar = "",
     .value = flag<&Settings::output, &OutputSettings::gather>(),
     .help = "at the end show equal output once, with its hosts or ranks",
     .manual = "Holds output until the job ends, and shows equal output of several hosts or ranks "
               "once, under their folded names, the largest group first, with their exit codes if "
               "these differ. It holds up to 64 MiB of different output; if there is more, all "
               "output appears ungrouped, with labels. `--format json` is for scripts."},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "--diff",
     .key = "diff",
     .metavar = "",
     .value = flag<&Settings::output, &OutputSettings::diff>(),
     .help = "like --gather, and how each group differs from the largest",
     .manual = "Gathers output as `--gather` does, and shows the largest group and, as `diff -u` "
               "does, how the lines of each other group differ from it."},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "--pty",
     .key = "pty",
     .metavar = "",
     .value = flag<&Settings::output, &OutputSettings::pty>(),
     .help = "connect rank 0, or that of --stdin, to this terminal",
     .manual = "Connects rank 0, or the rank of `--stdin`, to the terminal in which launch runs: "
               "its size, keys and job control, so that shells and full-screen programs work. With "
               "files of `--output-dir` every rank has its own terminal without input, so that "
               "programs write as for a person. By default ranks have pipes."},
});

}  // namespace

std::span<const OptionRow> rows_of_output() {
    return rows;
}

}  // namespace launch
