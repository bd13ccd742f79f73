// SPDX-License-Identifier: MIT
#include "core/tree/said_text.hpp"

namespace launch {

std::string last_lines(std::string_view text, size_t limit) {
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
        text.remove_suffix(1);
    if (text.size() > limit) text.remove_prefix(text.size() - limit);
    std::string line;
    for (const char c : text) {
        if (c == '\n') {
            line += "; ";
        } else if (static_cast<unsigned char>(c) >= ' ' && c != 0x7f) {
            line += c;
        }
    }
    return line;
}

std::string last_words(std::string_view text) {
    constexpr std::string_view own = "launch: ";
    const size_t at = text.rfind(own);
    return at == std::string_view::npos ? "" : last_lines(text.substr(at + own.size()), 200);
}

}  // namespace launch
