// SPDX-License-Identifier: MIT
#include "core/process/elf_loader.hpp"

#include "core/process/elf_bytes.hpp"

namespace launch {
namespace {

#if defined(__x86_64__)
constexpr unsigned own_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr unsigned own_machine = EM_AARCH64;
#else
constexpr unsigned own_machine = EM_NONE;
#endif

}  // namespace

std::string loader_of(std::string_view first_bytes) {
    const auto header = value_at<ElfW(Ehdr)>(first_bytes, 0);
    if (!header || !has_own_layout(*header) || header->e_machine != own_machine) return {};
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
