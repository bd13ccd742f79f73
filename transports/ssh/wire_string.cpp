// SPDX-License-Identifier: MIT
#include "transports/ssh/wire_string.hpp"

namespace launch {
namespace {

constexpr size_t number_size = 4;

}  // namespace

std::optional<uint32_t> take_wire_number(std::string_view& bytes) {
    if (bytes.size() < number_size) return std::nullopt;
    uint32_t number = 0;
    for (const char byte : bytes.substr(0, number_size))
        number = number << 8 | static_cast<uint8_t>(byte);
    bytes.remove_prefix(number_size);
    return number;
}

std::optional<std::string_view> take_wire_string(std::string_view& bytes) {
    const auto size = take_wire_number(bytes);
    if (!size || *size > bytes.size()) return std::nullopt;
    const std::string_view text = bytes.substr(0, *size);
    bytes.remove_prefix(*size);
    return text;
}

void put_wire_number(std::string& bytes, uint32_t number) {
    for (const int shift : {24, 16, 8, 0})
        bytes += static_cast<char>(number >> shift & 0xff);
}

void put_wire_string(std::string& bytes, std::string_view text) {
    put_wire_number(bytes, static_cast<uint32_t>(text.size()));
    bytes += text;
}

}  // namespace launch
