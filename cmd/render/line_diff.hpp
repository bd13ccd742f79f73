// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace launch {

/// How the lines of b differ from those of a, as the hunks of a unified diff (POSIX diff -u) with
/// three lines around each change. Nothing where more than `most` lines would have to be taken
/// out or put in, which costs time and memory by its square.
///
/// E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", Algorithmica 1986.
std::optional<std::string> unified_hunks(std::string_view a, std::string_view b,
                                         size_t most = 2000);

}  // namespace launch
