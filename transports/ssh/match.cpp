#include "transports/ssh/match.hpp"

#include <algorithm>

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
    while (!patterns.empty()) {
        const size_t comma = std::min(patterns.find(','), patterns.size());
        std::string_view pattern = patterns.substr(0, comma);
        patterns.remove_prefix(std::min(comma + 1, patterns.size()));
        const bool negated = pattern.starts_with('!');
        if (negated) pattern.remove_prefix(1);
        if (!matches_pattern(text, pattern)) continue;
        if (negated) return false;
        matched = true;
    }
    return matched;
}

}  // namespace launch
