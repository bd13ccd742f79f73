// SPDX-License-Identifier: MIT
#include "core/hosts/host_pattern.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/base/list_text.hpp"
#include "core/base/number_text.hpp"
#include "core/hosts/host_text.hpp"

namespace launch {
namespace {

// Unfolding recurses once a part.
constexpr std::size_t max_brackets = 16;

std::string read_range_end(std::string_view text, uint64_t& value) {
    if (!all_digits(text)) return quoted(text) + " in brackets is not a number";
    if (text.size() > max_range_digits) {
        return quoted(text) + " in brackets has more than " + std::to_string(max_range_digits) +
               " digits";
    }
    value = parse_number<uint64_t>(text).value_or(0);
    return {};
}

// Other tools write 1-9/2 or 1-9:2 for every second number.
bool has_step(std::string_view text) {
    std::size_t dash = text.find('-');
    return dash != text.npos && text.find_first_of("/:", dash) != text.npos;
}

// `text` is NUMBER or NUMBER-NUMBER.
std::string read_range(std::string_view text, NumberRange& range) {
    if (has_step(text)) {
        return "steps such as " + quoted(text) +
               " are not supported: list the numbers, as in [1,3,5]";
    }
    std::size_t dash = text.find('-');
    std::string_view low = text.substr(0, dash);
    std::string_view high = dash == text.npos ? low : text.substr(dash + 1);
    std::string objection = read_range_end(low, range.first);
    if (objection.empty()) objection = read_range_end(high, range.last);
    if (!objection.empty()) return objection;
    if (range.first > range.last) return "the range " + std::string(text) + " runs backwards";
    range.width = padding_of(low);
    // [1-064] could mean 1 or 001.
    if (padding_of(high) > 1 && low.size() != high.size()) {
        return "the ends of the range " + std::string(text) + " are padded to different widths";
    }
    return {};
}

std::string read_ranges(std::string_view text, std::vector<NumberRange>& ranges) {
    if (text.empty()) return "a bracket is empty";
    std::string objection;
    for (const std::string_view part : split(text, ',')) {
        objection = read_range(part, ranges.emplace_back());
        if (!objection.empty()) break;
    }
    return objection;
}

// Only there do colons stand in brackets; but in a range, where the colon was meant for a step.
bool is_address(std::string_view content) {
    return content.find(':') != content.npos &&
           !(has_step(content) && content.find_first_not_of("0123456789,-:") == content.npos);
}

}  // namespace

unsigned padding_of(std::string_view digits) {
    return digits.size() > 1 && digits[0] == '0' ? static_cast<unsigned>(digits.size()) : 1;
}

void append_number(std::string& out, uint64_t number, unsigned width) {
    std::array<char, 24> digits;
    char* end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    auto length = static_cast<std::size_t>(end - digits.data());
    if (length < width) out.append(width - length, '0');
    out.append(digits.data(), length);
}

std::string read_pattern(std::string_view item, HostPattern& pattern) {
    pattern.assign(1, {});
    while (true) {
        std::size_t bracket = item.find_first_of("[]");
        pattern.back().literal.append(item.substr(0, bracket));
        if (bracket == item.npos) return {};
        if (item[bracket] == ']') return "']' without '['";
        item.remove_prefix(bracket + 1);
        std::size_t close = item.find_first_of("[]");
        if (close == item.npos || item[close] == '[') return "a bracket is not closed";
        std::string_view content = item.substr(0, close);
        item.remove_prefix(close + 1);
        if (is_address(content)) {
            pattern.back().literal.append("[").append(content).append("]");
            continue;
        }
        std::string objection = read_ranges(content, pattern.back().ranges);
        if (!objection.empty()) return objection;
        if (pattern.size() > max_brackets) {
            return "more than " + std::to_string(max_brackets) + " brackets";
        }
        pattern.emplace_back();
    }
}

uint64_t count_texts(const HostPattern& pattern, uint64_t limit) {
    uint64_t total = 1;
    for (const PatternPart& part : pattern) {
        if (part.ranges.empty()) continue;
        uint64_t here = 0;
        for (const NumberRange& range : part.ranges) {
            here += range.last - range.first + 1;
            if (here > limit) return limit + 1;
        }
        total *= here;
        if (total > limit) return limit + 1;
    }
    return total;
}

}  // namespace launch
