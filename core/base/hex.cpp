// SPDX-License-Identifier: MIT
#include "core/base/hex.hpp"

#include <array>
#include <charconv>

namespace launch {

std::string hex_byte(char byte) {
    constexpr std::string_view digits = "0123456789abcdef";
    const auto value = static_cast<unsigned char>(byte);
    return {digits[value >> 4], digits[value & 15]};
}

std::string hex_bytes(std::string_view bytes) {
    std::string text;
    text.reserve(2 * bytes.size());
    for (const char byte : bytes)
        text += hex_byte(byte);
    return text;
}

std::string hex_number(uint64_t number) {
    std::array<char, 16> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
    return {digits.data(), end};
}

}  // namespace launch
