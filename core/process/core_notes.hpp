// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>
#include <sys/types.h>

namespace launch {

/// The notes of a core file are behind its table of segments, and this much of the file holds the
/// first of them.
inline constexpr size_t core_head_size = 5U << 20;

/// The process of a core file, by its note about the process; `head` is the beginning of the file.
/// Nothing: the note is not there, or the file is of another kind of machine than this one.
std::optional<pid_t> process_of_core(std::string_view head);

}  // namespace launch
