// SPDX-License-Identifier: MIT
#include "modex/front/printable.hpp"

#include <algorithm>

#include "core/base/hex.hpp"

namespace launch {
namespace {

/// Repeated characters from this number on are shown as a count.
constexpr size_t least_repeats = 4;

bool is_plain(char c) {
    return c >= 0x20 && c < 0x7f && c != '\\';
}

std::string escaped(char c) {
    if (c == '\n') return "\\n";
    if (c == '\\') return "\\\\";
    return is_plain(c) ? std::string(1, c) : "\\x" + hex_byte(c);
}

/// How many bytes at the beginning are one that is not plain, over and over; 1 where too few are.
size_t repeats_of_first(std::string_view bytes) {
    if (is_plain(bytes[0])) return 1;
    const auto repeats = std::min(bytes.find_first_not_of(bytes[0]), bytes.size());
    return repeats < least_repeats ? 1 : repeats;
}

}  // namespace

std::string printable(std::string_view bytes, size_t limit) {
    std::string out;
    while (!bytes.empty()) {
        const size_t told = repeats_of_first(bytes);
        std::string text = escaped(bytes[0]);
        if (told > 1) text += "(" + std::to_string(told) + " times)";
        if (out.size() + text.size() > limit) return out + "...";
        out += text;
        bytes.remove_prefix(told);
    }
    return out;
}

std::string to_trace(bool from_rank, std::string_view bytes) {
    return (from_rank ? "-> " : "<- ") + printable(bytes, max_trace);
}

}  // namespace launch
