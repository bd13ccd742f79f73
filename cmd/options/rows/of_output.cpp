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
     .manual = "Writes the output of ranks to files in this folder, which is made where it is not "
               "there, and not to the screen (`--output-copy`: to both). `--output-pattern` names "
               "the files. It may have fields itself, such as `runs/%j`. A file that is there "
               "already is an error, told before anything starts (`--output-replace`: it is "
               "written over). By default output goes to the screen.",
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
     .manual =
         "How files of `--output-dir` are called: a text with the fields of "
         "`--label-pattern`, perhaps with folders in it. By default `%R.%{stream}`: `007.out` "
         "and `007.err`. Ranks and streams whose name is the same share a file, line by "
         "line.",
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
               "`out.%r`. Fields are those of `--label-pattern`. In a folder of `--output-dir`, if "
               "there is one. By default it goes to the screen.",
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
     .manual = "The same for standard error as `-outfile-pattern` for standard output.",
     .if_unset = "the screen",
     .example = "err.%h"},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "--output-there",
     .key = "output-there",
     .metavar = "",
     .value = flag<&Settings::output, &OutputSettings::there>(),
     .help = "write these files on the hosts of the ranks, not here",
     .manual = "Writes the files of `--output-dir`, or of a pattern, on the hosts where the ranks "
               "run: no output comes through the tree. By default the files are here."},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "--output-copy",
     .key = "output-copy",
     .metavar = "",
     .value = flag<&Settings::output, &OutputSettings::copy>(),
     .help = "show output on the screen, too",
     .manual = "Shows on the screen, too, what goes to files. By default it goes to files only."},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "--output-replace",
     .key = "output-replace",
     .metavar = "",
     .value = flag<&Settings::output, &OutputSettings::replace>(),
     .help = "write over files of output that are there already",
     .manual = "Writes over files of output that are there already. By default these are an error, "
               "and nothing is started."},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "--gather",
     .key = "gather",
     .metavar = "",
     .value = flag<&Settings::output, &OutputSettings::gather>(),
     .help = "at the end show output that is the same once, with the hosts or ranks",
     .manual = "Holds output until the job ends, and shows what several hosts or ranks wrote alike "
               "once, under their folded names, largest group first; with how they ended, where "
               "that differs. It holds 64 MiB of output that differs; where there is more, all of "
               "it comes as it is, with labels. `--format json` is for scripts."},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "--diff",
     .key = "diff",
     .metavar = "",
     .value = flag<&Settings::output, &OutputSettings::diff>(),
     .help = "the same as --gather, and how each group differs from the largest",
     .manual = "Gathers output as `--gather` does, shows the largest group, and of each other how "
               "its lines differ from that, as `diff -u` does."},
    {.group = OptionGroup::streams,
     .scope = Scope::job,
     .names = "--pty",
     .key = "pty",
     .metavar = "",
     .value = flag<&Settings::output, &OutputSettings::pty>(),
     .help = "give rank 0, or the one of --stdin, this terminal",
     .manual =
         "Gives rank 0, or the rank of `--stdin`, the terminal that launch runs in: its "
         "size, its keys and job control, so that shells and full-screen programs work. With "
         "files of `--output-dir` it is a terminal of its own for every rank, at which nobody "
         "types: programs write as they do to people. By default ranks have pipes."},
});

}  // namespace

std::span<const OptionRow> rows_of_output() {
    return rows;
}

}  // namespace launch
