// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace launch {

/// OpenSSH's patterns: `*` and `?`. Letters compare as they are.
bool matches_pattern(std::string_view text, std::string_view pattern);

/// A list of patterns separated by commas: one matches, and none that begins with `!` does.
bool matches_pattern_list(std::string_view text, std::string_view patterns);

}  // namespace launch
