// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <link.h>
#include <optional>
#include <string_view>

namespace launch {

inline constexpr unsigned char own_class = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
inline constexpr unsigned char own_order =
    std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;

/// Nothing: it is not all there.
template <class T>
std::optional<T> value_at(std::string_view bytes, uint64_t at) {
    if (at > bytes.size() || bytes.size() - at < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

/// The file is laid out as those of this machine, so that its table of segments can be read.
inline bool has_own_layout(const ElfW(Ehdr) & header) {
    return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
           header.e_ident[EI_CLASS] == own_class && header.e_ident[EI_DATA] == own_order &&
           header.e_phentsize == sizeof(ElfW(Phdr));
}

}  // namespace launch
