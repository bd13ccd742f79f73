// SPDX-License-Identifier: MIT
#include "core/base/codec.hpp"

#include <limits>
#include <utility>

namespace launch {

Encoder& Encoder::number(uint64_t value) {
    char digits[10];  // of 7 bits each
    size_t count = 0;
    for (; value >= 0x80; value >>= 7)
        digits[count++] = static_cast<char>((value & 0x7f) | 0x80);
    digits[count++] = static_cast<char>(value);
    bytes_.append(digits, count);
    return *this;
}

Encoder& Encoder::text(std::string_view value) {
    number(value.size());
    bytes_.append(value);
    return *this;
}

Encoder& Encoder::texts(const std::vector<std::string>& values) {
    number(values.size());
    for (const auto& value : values)
        text(value);
    return *this;
}

Encoder& Encoder::raw(std::string_view value) {
    bytes_.append(value);
    return *this;
}

uint64_t Decoder::number() {
    uint64_t value = 0;
    for (unsigned shift = 0; ok_ && shift < 64; shift += 7) {
        if (rest_.empty()) break;
        const auto byte = static_cast<unsigned char>(rest_.front());
        rest_.remove_prefix(1);
        if (shift == 63 && byte > 1) break;
        value |= static_cast<uint64_t>(byte & 0x7f) << shift;
        if (byte < 0x80) return value;
    }
    ok_ = false;
    return 0;
}

uint32_t Decoder::number32() {
    const uint64_t value = number();
    if (value > std::numeric_limits<uint32_t>::max()) ok_ = false;
    return ok_ ? static_cast<uint32_t>(value) : 0;
}

std::string_view Decoder::text() {
    const uint64_t size = number();
    if (size > rest_.size()) ok_ = false;
    if (!ok_) return {};
    const auto value = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return value;
}

std::vector<std::string> Decoder::texts() {
    const uint32_t size = count();
    std::vector<std::string> values;
    for (uint32_t i = 0; ok_ && i < size; ++i)
        values.emplace_back(text());
    return values;
}

uint32_t Decoder::count() {
    const uint64_t size = number();
    if (size > rest_.size()) ok_ = false;
    return ok_ ? static_cast<uint32_t>(size) : 0;
}

std::string_view Decoder::rest() {
    return ok_ ? std::exchange(rest_, {}) : std::string_view{};
}

}  // namespace launch
