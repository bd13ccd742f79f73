// SPDX-License-Identifier: MIT
#include "cmd/options/bind.hpp"
#include "cmd/options/rows/rows.hpp"
#include "cmd/options/rows/with_texts.hpp"

namespace launch {
namespace {

constexpr auto rows = std::to_array<OptionRow>({
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "--init",
     .key = "init",
     .value = flag<&Settings::init>()},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "--schema",
     .key = "schema",
     .value = flag<&Settings::schema>()},
    {.group = OptionGroup::look,
     .scope = Scope::invocation,
     .names = "--job",
     .key = "job",
     .metavar = "FILE",
     .value = text<&Settings::job_file>(Kind::path),
     .example = "job.toml"},
});

}  // namespace

std::span<const OptionRow> rows_of_config() {
    static constexpr auto complete = with_texts("config", rows);
    return complete;
}

}  // namespace launch
