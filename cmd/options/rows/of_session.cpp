// SPDX-License-Identifier: MIT
#include "cmd/options/bind.hpp"
#include "cmd/options/rows/rows.hpp"
#include "cmd/options/rows/with_texts.hpp"

namespace launch {
namespace {

constexpr auto rows = std::to_array<OptionRow>({
    {.group = OptionGroup::hosts,
     .scope = Scope::invocation,
     .names = "--name",
     .key = "name",
     .metavar = "NAME",
     .value = text<&Settings::session_name>(Kind::text),
     .example = "work"},
    {.group = OptionGroup::hosts,
     .scope = Scope::invocation,
     .names = "--idle",
     .key = "idle",
     .metavar = "TIME",
     .value = time<&Settings::session_idle>()},
});

}  // namespace

std::span<const OptionRow> rows_of_session() {
    static constexpr auto complete = with_texts("session", rows);
    return complete;
}

}  // namespace launch
