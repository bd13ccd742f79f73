// SPDX-License-Identifier: MIT
#include "cmd/options/bind.hpp"
#include "cmd/options/format.hpp"
#include "cmd/options/rows/rows.hpp"

namespace launch {
namespace {

constexpr auto plan_formats =
    std::to_array<Format>({Format::text, Format::json, Format::toml, Format::dot, Format::svg});

constexpr auto rows = std::to_array<OptionRow>({
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "--job",
     .key = "job",
     .metavar = "FILE",
     .value = text<&Settings::job_file>(Kind::path),
     .help = "run the job of a TOML file; options given here win over the file",
     .manual =
         "Runs the job that a TOML file describes; options and a program on the command line win "
         "over those of the file. `launch JOB.toml` is the same. See `launch help job-files`.",
     .if_unset = "no file is read",
     .example = "job.toml"},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "--dry-run",
     .key = "dry-run",
     .metavar = "",
     .value = flag<&Settings::dry_run>(),
     .help = "show which rank would run where, and the tree",
     .manual = "Shows which rank would run where, and the tree, and starts nothing. All checks "
               "that need no host are made."},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "--explain",
     .key = "explain",
     .metavar = "",
     .value = flag<&Settings::view, &ViewSettings::explain>(),
     .help = "with --dry-run: also the reasons for the tree, the PMI, the start commands",
     .manual = "With `--dry-run`: also shows why this tree was chosen, which PMI is offered, and "
               "the command by which each host would be started."},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "--full",
     .key = "full",
     .metavar = "",
     .value = flag<&Settings::view, &ViewSettings::full>(),
     .help = "with --dry-run: every host, nothing folded",
     .manual = "With `--dry-run`: shows every host on its own; by default equal hosts are folded "
               "into one line."},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "--format",
     .key = "format",
     .metavar = "FORMAT",
     .value = format_among<plan_formats, &Settings::view, &ViewSettings::format>(),
     .help = "with --dry-run: text, json, toml (a job file), dot or svg (the tree)",
     .manual = "With `--dry-run`: `text`, the default, `json` for scripts, `toml`, the job as a "
               "job file that gives the same settings again, or a picture of the tree: `svg`, or "
               "`dot` for Graphviz. Pictures fold equal hosts, unless `--full` is given."},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "-h --help",
     .key = "help",
     .metavar = "",
     .value = flag<&Settings::help>(),
     .help = "show this help",
     .manual =
         "Prints the help that fits a screen; `launch help TOPIC` describes one topic in full."},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "-V --version",
     .key = "version",
     .metavar = "",
     .value = flag<&Settings::version>(),
     .help = "the version and the build",
     .manual = "Prints the version and the build. All hosts of a job run the same build."},
});

}  // namespace

std::span<const OptionRow> rows_of_views() {
    return rows;
}

}  // namespace launch
