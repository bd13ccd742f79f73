// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace launch {

inline bool has_words(std::string_view text, std::string_view what) {
    return text.find(what) != std::string_view::npos;
}

/// The first line for which `use` is true; empty: no such line. Lines may end as on a terminal,
/// text that overwrites a line counts as another line, and no line is empty.
template <class Use>
std::string_view find_line(std::string_view text, Use use) {
    while (!text.empty()) {
        const size_t end = text.find_first_of("\r\n");
        const std::string_view line = text.substr(0, end);
        if (!line.empty() && use(line)) return line;
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return {};
}

}  // namespace launch
