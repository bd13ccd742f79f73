// SPDX-License-Identifier: MIT
#include "core/push/cksum.hpp"

#include <array>

namespace launch {
namespace {

constexpr uint32_t polynomial = 0x04c11db7;

constexpr std::array<uint32_t, 256> make_table() {
    std::array<uint32_t, 256> table{};
    for (uint32_t byte = 0; byte < table.size(); ++byte) {
        uint32_t crc = byte << 24;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc << 1) ^ ((crc >> 31) * polynomial);
        table[byte] = crc;
    }
    return table;
}

constexpr auto table = make_table();

uint32_t add_byte(uint32_t crc, uint8_t byte) {
    return (crc << 8) ^ table[(crc >> 24) ^ byte];
}

}  // namespace

void Cksum::add(std::span<const char> bytes) {
    uint32_t crc = crc_;
    for (const char c : bytes)
        crc = add_byte(crc, static_cast<uint8_t>(c));
    crc_ = crc;
    size_ += bytes.size();
}

uint32_t Cksum::value() const {
    uint32_t crc = crc_;
    for (uint64_t rest = size_; rest != 0; rest >>= 8)
        crc = add_byte(crc, static_cast<uint8_t>(rest & 0xff));
    return ~crc;
}

}  // namespace launch
