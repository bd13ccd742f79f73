// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace launch {

/// The numbers first..last, each written with at least `width` digits.
struct NumberRange {
    uint64_t first;
    uint64_t last;
    unsigned width;

    bool operator==(const NumberRange&) const = default;
};

/// Above this many digits a number is a word: it is neither folded nor unfolded.
inline constexpr std::size_t max_range_digits = 18;

/// Text, then one number out of `ranges`; none where `ranges` is empty.
struct PatternPart {
    std::string literal;
    std::vector<NumberRange> ranges;
};

/// One item of a host list, read but not unfolded: r[1-2]n[01-16] is two parts with ranges.
using HostPattern = std::vector<PatternPart>;

/// Reads an item. A bracket that contains ':' is an IPv6 address and stays in the literal.
/// Returns what is wrong as a clause, or an empty string when `pattern` was filled.
std::string read_pattern(std::string_view item, HostPattern& pattern);

/// How many texts the pattern unfolds to; anything above `limit`, which is below
/// 2^32, comes back as limit + 1.
uint64_t count_texts(const HostPattern& pattern, uint64_t limit);

/// The width that NumberRange keeps for a number written like this: 1 unless it is padded.
unsigned padding_of(std::string_view digits);

void append_number(std::string& out, uint64_t number, unsigned width);

}  // namespace launch
