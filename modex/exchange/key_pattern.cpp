// SPDX-License-Identifier: MIT
#include "modex/exchange/key_pattern.hpp"

#include <algorithm>

#include "core/base/number_text.hpp"

namespace launch {
namespace {

constexpr size_t max_digits = 10;

std::string with_hole(std::string_view key, size_t begin, size_t end) {
    const bool padded = key[begin] == '0' && end - begin > 1;
    std::string pattern(key.substr(0, begin));
    pattern += '\0';
    pattern += static_cast<char>(padded ? end - begin : 0);
    pattern += key.substr(end);
    return pattern;
}

/// Calls f(begin, end, number) for each run of digits that may be a rank, until it says true.
template <class F>
void for_each_number(std::string_view key, F f) {
    for (size_t begin = 0; begin < key.size();) {
        if (!is_digit(key[begin])) {
            ++begin;
            continue;
        }
        size_t end = begin + 1;
        while (end < key.size() && is_digit(key[end]))
            ++end;
        const auto number = parse_number<uint32_t>(key.substr(begin, end - begin));
        if (number && end - begin <= max_digits && f(begin, end, *number)) return;
        begin = end;
    }
}

}  // namespace

std::string pattern_of(std::string_view key, uint32_t owner) {
    std::string pattern;
    for_each_number(key, [&](size_t begin, size_t end, uint32_t number) {
        if (number == owner) pattern = with_hole(key, begin, end);
        return number == owner;
    });
    return pattern.empty() ? std::string(key) : pattern;
}

bool is_literal(std::string_view pattern) {
    return pattern.find('\0') == std::string_view::npos;
}

std::string key_of(std::string_view pattern, uint32_t owner) {
    const size_t hole = pattern.find('\0');
    if (hole == std::string_view::npos || hole + 1 >= pattern.size()) return std::string(pattern);
    const auto width = std::min<size_t>(static_cast<unsigned char>(pattern[hole + 1]), max_digits);
    const std::string number = std::to_string(owner);
    std::string key(pattern.substr(0, hole));
    if (number.size() < width) key.append(width - number.size(), '0');
    key += number;
    key += pattern.substr(hole + 2);
    return key;
}

void PatternIndex::add(std::string_view pattern, uint32_t owner) {
    if (is_literal(pattern)) {
        literals_.insert_or_assign(std::string(pattern), owner);
    } else {
        patterns_.emplace(pattern);
    }
}

bool PatternIndex::contains(std::string_view pattern, uint32_t owner) const {
    const std::string text(pattern);
    if (!is_literal(pattern)) return patterns_.count(text) > 0;
    const auto known = literals_.find(text);
    return known != literals_.end() && known->second == owner;
}

void PatternIndex::owners(std::string_view key, std::vector<uint32_t>& out) const {
    out.clear();
    const auto literal = literals_.find(std::string(key));
    if (literal != literals_.end()) out.push_back(literal->second);
    for_each_number(key, [&](size_t begin, size_t end, uint32_t number) {
        const bool known = patterns_.count(with_hole(key, begin, end)) > 0;
        if (known && std::find(out.begin(), out.end(), number) == out.end()) out.push_back(number);
        return false;
    });
}

}  // namespace launch
