// SPDX-License-Identifier: MIT
#include "cmd/render/json_text.hpp"

#include <cstddef>
#include <cstdint>

#include "core/base/hex.hpp"

namespace launch {
namespace {

bool continues(std::string_view text, size_t i) {
    return i < text.size() && (static_cast<uint8_t>(text[i]) & 0xC0) == 0x80;
}

/// The bytes of the UTF-8 character at the front of the text; 0 if it begins with none.
size_t character_length(std::string_view text) {
    const auto lead = static_cast<uint8_t>(text[0]);
    const size_t length = lead < 0x80                   ? 1
                          : lead >= 0xC2 && lead < 0xE0 ? 2
                          : lead >= 0xE0 && lead < 0xF0 ? 3
                          : lead >= 0xF0 && lead < 0xF5 ? 4
                                                        : 0;
    for (size_t i = 1; i < length; ++i)
        if (!continues(text, i)) return 0;
    if (length < 3) return length;
    // Too long a form, a surrogate, or above U+10FFFF: the second byte tells.
    const auto second = static_cast<uint8_t>(text[1]);
    const bool bad = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
                     (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F);
    return bad ? 0 : length;
}

std::string escaped(char c) {
    if (c == '"') return "\\\"";
    if (c == '\\') return "\\\\";
    if (c == '\n') return "\\n";
    if (c == '\t') return "\\t";
    if (static_cast<uint8_t>(c) >= 0x20) return std::string(1, c);
    return "\\u00" + hex_byte(c);
}

}  // namespace

std::string json_string(std::string_view text) {
    std::string out = "\"";
    while (!text.empty()) {
        const size_t length = character_length(text);
        if (length == 0) out += "\xEF\xBF\xBD";
        if (length == 1) out += escaped(text[0]);
        if (length > 1) out += text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return out + '"';
}

}  // namespace launch
