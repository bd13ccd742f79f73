// SPDX-License-Identifier: MIT
#include "topologies/draw_lines.hpp"

#include <algorithm>

namespace launch {

std::string Branches::before(uint32_t depth, bool last_sibling) {
    constexpr uint32_t deepest_indent = 32;
    if (depth == 0) return {};
    const uint32_t level = std::min(depth, deepest_indent);
    ended_.resize(level);
    ended_[level - 1] = last_sibling;

    std::string text;
    for (uint32_t i = 0; i + 1 < level; ++i) {
        if (ended_[i]) {
            text += "    ";
        } else {
            text += ascii_ ? "|   " : "│   ";
        }
    }
    if (last_sibling) {
        text += ascii_ ? "`-- " : "└── ";
    } else {
        text += ascii_ ? "|-- " : "├── ";
    }
    if (depth > deepest_indent) text += "(depth " + std::to_string(depth) + ") ";
    return text;
}

}  // namespace launch
