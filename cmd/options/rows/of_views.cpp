// SPDX-License-Identifier: MIT
#include "cmd/options/bind.hpp"
#include "cmd/options/format.hpp"
#include "cmd/options/rows/rows.hpp"
#include "cmd/options/rows/with_texts.hpp"

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
     .example = "job.toml"},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "--dry-run",
     .key = "dry-run",
     .value = flag<&Settings::dry_run>()},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "--explain",
     .key = "explain",
     .value = flag<&Settings::view, &ViewSettings::explain>()},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "--full",
     .key = "full",
     .value = flag<&Settings::view, &ViewSettings::full>()},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "--format",
     .key = "format",
     .metavar = "FORMAT",
     .value = format_among<plan_formats, &Settings::view, &ViewSettings::format>()},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "-h --help",
     .key = "help",
     .value = flag<&Settings::help>()},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "-V --version",
     .key = "version",
     .value = flag<&Settings::version>()},
});

}  // namespace

std::span<const OptionRow> rows_of_views() {
    static constexpr auto complete = with_texts("views", rows);
    return complete;
}

}  // namespace launch
