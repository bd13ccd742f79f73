// SPDX-License-Identifier: MIT
#include "core/base/terminal_text.hpp"

#include "core/base/hex.hpp"

namespace launch {
namespace {

bool is_control(unsigned char byte) {
    return (byte < 0x20 && byte != '\t') || byte == 0x7f;
}

/// U+0080 to U+009F in UTF-8, as terminals obey them too: the second byte after 0xc2.
bool is_late_control(unsigned char before, unsigned char byte) {
    return before == 0xc2 && byte >= 0x80 && byte < 0xa0;
}

}  // namespace

std::string terminal_text(std::string_view text) {
    std::string shown;
    shown.reserve(text.size());
    char before = '\0';
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\n')
            shown += "\\n";
        else if (is_control(byte) || is_late_control(static_cast<unsigned char>(before), byte))
            shown += "\\x" + hex_byte(c);
        else
            shown += c;
        before = c;
    }
    return shown;
}

}  // namespace launch
