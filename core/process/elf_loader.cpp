// SPDX-License-Identifier: MIT
#include "core/process/elf_loader.hpp"

#include <bit>
#include <cstring>
#include <link.h>
#include <optional>

namespace launch {
namespace {

#if defined(__x86_64__)
constexpr unsigned own_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr unsigned own_machine = EM_AARCH64;
#else
constexpr unsigned own_machine = EM_NONE;
#endif

constexpr unsigned char own_class = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
constexpr unsigned char own_order =
    std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;

template <class T>
std::optional<T> value_at(std::string_view bytes, uint64_t at) {
    if (at > bytes.size() || bytes.size() - at < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

bool is_of_this_machine(const ElfW(Ehdr) & header) {
    return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
           header.e_ident[EI_CLASS] == own_class && header.e_ident[EI_DATA] == own_order &&
           header.e_machine == own_machine && header.e_phentsize == sizeof(ElfW(Phdr));
}

}  // namespace

std::string loader_of(std::string_view first_bytes) {
    const auto header = value_at<ElfW(Ehdr)>(first_bytes, 0);
    if (!header || !is_of_this_machine(*header)) return {};
    for (unsigned i = 0; i < header->e_phnum; ++i) {
        const uint64_t at = header->e_phoff + i * sizeof(ElfW(Phdr));
        const auto segment = value_at<ElfW(Phdr)>(first_bytes, at);
        if (!segment) return {};
        if (segment->p_type != PT_INTERP) continue;
        if (segment->p_offset > first_bytes.size()) return {};
        const std::string_view rest = first_bytes.substr(segment->p_offset);
        const size_t end = rest.substr(0, segment->p_filesz).find('\0');
        return end == std::string_view::npos ? std::string() : std::string(rest.substr(0, end));
    }
    return {};
}

}  // namespace launch
