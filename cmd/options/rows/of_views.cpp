#include "cmd/options/bind.hpp"
#include "cmd/options/rows/rows.hpp"

namespace launch {
namespace {

constexpr auto format_names = std::to_array<std::string_view>({"text", "json", "toml"});

constexpr auto rows = std::to_array<OptionRow>({
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "--job",
     .key = "job",
     .metavar = "FILE",
     .value = text<&Settings::job_file>(Kind::path),
     .help = "the job of a TOML file; options given here win over those there"},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "--dry-run",
     .key = "dry-run",
     .metavar = "",
     .value = flag<&Settings::dry_run>(),
     .help = "show who would run what, and the tree"},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "--explain",
     .key = "explain",
     .metavar = "",
     .value = flag<&Settings::view, &ViewSettings::explain>(),
     .help = "with --dry-run: also why this tree, what PMI, how hosts are started"},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "--full",
     .key = "full",
     .metavar = "",
     .value = flag<&Settings::view, &ViewSettings::full>(),
     .help = "with --dry-run: every host, nothing folded"},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "--format",
     .key = "format",
     .metavar = "FORMAT",
     .value = choice<format_names, &Settings::view, &ViewSettings::format>(),
     .help = "with --dry-run: text, json, or toml: the job as a job file"},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "-h --help",
     .key = "help",
     .metavar = "",
     .value = flag<&Settings::help>(),
     .help = "this text"},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "-V --version",
     .key = "version",
     .metavar = "",
     .value = flag<&Settings::version>(),
     .help = "the version and the build"},
});

}  // namespace

std::span<const OptionRow> rows_of_views() {
    return rows;
}

}  // namespace launch
