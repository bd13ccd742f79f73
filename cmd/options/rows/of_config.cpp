// SPDX-License-Identifier: MIT
#include "cmd/options/bind.hpp"
#include "cmd/options/rows/rows.hpp"

namespace launch {
namespace {

constexpr auto rows = std::to_array<OptionRow>({
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "--init",
     .key = "init",
     .metavar = "",
     .value = flag<&Settings::init>(),
     .help = "print a configuration file with every line commented out",
     .manual = "As `launch config --init`, prints a configuration file with every option as a "
               "comment, with its default or an example. Save it as "
               "`~/.config/launch/config.toml`, or as `/etc/launch/config.toml` for all users."},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "--schema",
     .key = "schema",
     .metavar = "",
     .value = flag<&Settings::schema>(),
     .help = "print a JSON Schema of job files, for editors",
     .manual = "Prints a JSON Schema (draft 2020-12) of job files, by which editors complete and "
               "check them."},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "--job",
     .key = "job",
     .metavar = "FILE",
     .value = text<&Settings::job_file>(Kind::path),
     .help = "show the settings of the job of a TOML file",
     .manual = "Shows the settings that the job of a TOML file has; it does not run. `launch "
               "config JOB.toml` is the same. See `launch help job-files`.",
     .if_unset = "no file is read",
     .example = "job.toml"},
});

}  // namespace

std::span<const OptionRow> rows_of_config() {
    return rows;
}

}  // namespace launch
