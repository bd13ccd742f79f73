// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/options/table.hpp"

namespace launch {

/// The words of --bind, --map-by and --rank-by for parts of a host, in lower case.

inline constexpr std::string_view known_parts = "hwthread, core, l1, l2, l3, numa, socket";

/// Reads launch's own names and those of other launchers.
std::optional<MachinePart> part_of(std::string_view name);
/// Launch's own name.
std::string part_name(MachinePart part);

/// The mistake in a word that is no part: the advice for a word of another launcher, "gpu0" or
/// "seq"; else `otherwise`, with the one of the `known` words of which it may be a misspelled one.
std::string unknown_place(std::string_view word, std::string otherwise,
                          const std::vector<ChoiceWord>& known = {});

}  // namespace launch
