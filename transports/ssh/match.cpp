// SPDX-License-Identifier: MIT
#include "transports/ssh/match.hpp"

#include "core/base/list_text.hpp"

namespace launch {

bool matches_pattern(std::string_view text, std::string_view pattern) {
    // Greedy with one way back: to the last star. Linear in practice, never exponential.
    size_t t = 0;
    size_t p = 0;
    size_t star = std::string_view::npos;
    size_t resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++t;
            ++p;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

bool matches_pattern_list(std::string_view text, std::string_view patterns) {
    bool matched = false;
    bool refused = false;
    for_each_part(patterns, ',', [&](std::string_view pattern) {
        const bool negated = pattern.starts_with('!');
        if (negated) pattern.remove_prefix(1);
        if (matches_pattern(text, pattern)) (negated ? refused : matched) = true;
    });
    return matched && !refused;
}

}  // namespace launch
